"""The schemas of the OpenAPI documents: the names of objects, and maps."""

import itertools

import jsonschema
import testtools

from placement import microversion, openapi
from placement.openapi import operations, shapes
from placement.schemas import common
from placement.schemas.annotations import described
from placement.schemas.operator import whole_provider
from tests.unit.openapi.documents import schemas_in

UUID = "11111111-1111-1111-1111-111111111111"

# Keys of maps, good and bad, and one that ends in a newline, which `$` would overlook.
KEYS = ("", "VCPU", "vcpu", "VCPU\n", UUID, f"{UUID}\n", UUID.replace("-", ""), "_A", "{}")
AMOUNTS = ({}, {"VCPU": 1}, {"VCPU": 0}, {"vcpu": 1}, 1)
ALLOCATIONS = ({}, *({key: {"resources": {"VCPU": 1}}} for key in KEYS), {UUID: {}})
# The service does not check the value of a key that is not a suffix.
MAPPINGS = ({}, *({key: [UUID]} for key in KEYS), {"_A": []}, {"_A": [1]})
# Handlers, not schemas, check keys that are not names of classes.
INVENTORIES = ({}, {"VCPU": {"total": 1}}, {"_A": {"total": 0}}, {"VCPU": {}})


def claim(**members):
    given = {"allocations": {}, "project_id": "p", "user_id": "u"}
    return given | {"consumer_generation": None, "consumer_type": "A"} | members


def bodies():
    """Yield right and wrong bodies for all requests whose bodies have maps in them."""
    claims = [claim(allocations=each) for each in ALLOCATIONS]
    claims += [claim(allocations={UUID: {"resources": each}}) for each in AMOUNTS]
    claims += [claim(mappings=each) for each in MAPPINGS]
    sets = [{"resource_provider_generation": 1, "inventories": each} for each in INVENTORIES]
    yield from claims
    yield from sets
    for key, one in itertools.product(KEYS, (claims[0], claims[1])):
        yield {key: one}
        yield {"inventories": {UUID: sets[0]}, "allocations": {key: one}}
    for key, one in itertools.product(KEYS, sets):
        yield {"inventories": {key: one}, "allocations": {}}


class Maps(testtools.TestCase):
    def test_described_bodies_accept_what_the_service_accepts(self):
        outcomes = set()
        for operation in operations.OPERATIONS.values():
            if operation.body is None:
                continue
            body = operation.body(lambda behaviour: True)
            made = shapes.Shapes()
            described = made.of_request(body.schema)
            document = {**described, "components": {"schemas": made.named}}
            validator = jsonschema.Draft202012Validator(document)
            for each in bodies():
                accepted = body.is_valid(each)
                outcomes.add((operation.name, accepted))
                self.assertEqual(
                    accepted, validator.is_valid(each), f"{operation.name}: {each}"
                )
        for name in ("replace_allocations", "replace_inventories", "reshape"):
            self.assertLessEqual({(name, True), (name, False)}, outcomes)


class Names(testtools.TestCase):
    def test_every_object_has_a_name_unless_it_is_a_map(self):
        for version in (microversion.MINIMUM, microversion.MAXIMUM):
            document = openapi.document(version)
            self.assertEqual([], list(records(document["paths"])), version)
            for schema in document["components"]["schemas"].values():
                inside = {keyword: each for keyword, each in schema.items() if keyword != "type"}
                self.assertEqual([], list(records(inside)), version)

    def test_a_reference_has_the_meaning_of_the_object_at_its_place(self):
        links = openapi.document()["components"]["schemas"]["ResourceClass"]["properties"]["links"]
        self.assertEqual({"$ref": "#/components/schemas/Link"}, links["items"])
        audit = openapi.document()["components"]["schemas"]["UnmetConstraint"]["properties"]
        self.assertEqual(
            {
                "$ref": "#/components/schemas/NamedProvider",
                "description": "The provider of the host that came closest; for together, the one "
                "in the reason.",
            },
            audit["provider"],
        )

    def test_another_shape_of_the_same_name_is_written_out(self):
        made = shapes.Shapes()
        first, other = {"type": "object"}, {"type": "object", "minProperties": 1}
        self.assertEqual({"$ref": "#/components/schemas/A"}, made.reference("A", first))
        self.assertEqual(other, made.reference("A", other))
        self.assertEqual({"A": first}, made.named)


class Meanings(testtools.TestCase):
    def test_a_property_has_its_own_meaning_and_not_that_of_a_namesake(self):
        """A provider's created_at is not documented with the meaning of a consumer's."""
        [allocations] = (
            each["additionalProperties"]["properties"]
            for each in schemas_in({}, whole_provider.listed().schema)
            if each.get("additionalProperties", {}).get("title") == "AllocationWithOwner"
        )
        self.assertIn("the consumer", allocations["created_at"]["description"])
        undescribed = common.record({"created_at": common.MOMENT_OR_NULL})
        error = self.assertRaises(ValueError, shapes.Shapes().of, undescribed)
        self.assertIn("created_at", str(error))

    def test_properties_within_lists_maps_and_alternatives_need_a_meaning(self):
        undescribed = common.record({"a": common.TEXT})
        for schema in (
            {"type": "array", "items": undescribed},
            common.by_key(undescribed),
            {"anyOf": [undescribed]},
            common.record({"b": described("It is.", undescribed)}),
        ):
            self.assertRaises(ValueError, shapes.Shapes().of, schema)


def records(part):
    """Yield the schemas of objects with properties in a part of a document."""
    if isinstance(part, list):
        for each in part:
            yield from records(each)
    if isinstance(part, dict):
        if part.get("type") == "object" and "properties" in part:
            yield part
        for each in part.values():
            yield from records(each)
