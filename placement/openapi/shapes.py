"""Schemas of bodies in the form that generators of clients understand.

The schemas in schemas/ are made to validate, and to word errors. Those made here accept the same
bodies. If a schema has a title, the document has the schema once, under that name, and refers to it
everywhere else.
"""

from placement.documents import resources
from placement.objects.inventory import Inventory

# An inventory that is made from its total alone shows the defaults of the other properties.
_GIVEN = {"total": 1}
_DEFAULTS = {
    name: value
    for name, value in resources.inventory(Inventory.from_request("", _GIVEN)).items()
    if name not in _GIVEN
}


class Shapes:
    """The schemas of one document. Attributes: named, {name: schema} for references."""

    def __init__(self):
        self.named = {}

    def of(self, schema):
        """Return the schema for the body of an answer, with references to titled schemas.

        Raises: ValueError for a property whose meaning is not described.
        """
        return self._referring(_with_plain_maps(schema), {})

    def of_request(self, schema):
        """Like of(), for the body of a request, with the defaults of optional properties."""
        return self._referring(_with_plain_maps(schema), _DEFAULTS)

    def reference(self, name, shape):
        """Return a reference to `shape`, which is kept in `named`.

        If different shapes have the same name, all but the first are returned in full instead.
        """
        if self.named.setdefault(name, shape) != shape:
            return shape
        return {"$ref": f"#/components/schemas/{name}"}

    def _referring(self, schema, defaults):
        """Return the schema with a reference in place of each object that has a title.

        `defaults` is {property: its value if a client leaves it out}.
        """
        # How to treat the value of each keyword that holds schemas.
        members = {
            "properties": lambda member: {
                name: self._property(name, value, defaults) for name, value in member.items()
            },
            "items": lambda member: self._referring(member, defaults),
            "additionalProperties": lambda member: self._referring(member, defaults),
            "anyOf": lambda member: [self._referring(value, defaults) for value in member],
        }
        if not isinstance(schema, dict):
            return schema
        shape = {
            keyword: members[keyword](value) if keyword in members else value
            for keyword, value in schema.items()
        }
        name = shape.pop("title", None)
        if name is None:
            return shape
        # The meaning depends on where the schema is used, so it is not kept in `named`.
        meaning = {"description": shape.pop("description")} if "description" in shape else {}
        return self.reference(name, shape) | meaning

    def _property(self, name, schema, defaults):
        """Return the schema of a property, with its default. Raises: ValueError."""
        if "description" not in schema:
            raise ValueError(f"What the property {name} means is not described: {schema}")
        default = {"default": defaults[name]} if name in defaults else {}
        return self._referring(schema, defaults) | default


def _with_plain_maps(schema):
    """Return a schema with `propertyNames` and `additionalProperties` for `patternProperties`.

    Generators of clients do not understand patternProperties.
    """
    if isinstance(schema, list):
        return [_with_plain_maps(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {keyword: _with_plain_maps(value) for keyword, value in schema.items()}
    if "patternProperties" not in plain:
        return plain
    ((pattern, values),) = plain.pop("patternProperties").items()
    # A schema with additionalProperties refuses all other keys, or the service does so later, where
    # it looks up the names. Without that keyword, any key is allowed.
    if "additionalProperties" in plain:
        names = {"type": "string", "pattern": pattern}
        plain["propertyNames"] = names | plain.get("propertyNames", {})
    return plain | {"additionalProperties": values}
