"""Schemas of bodies as the document has them: described, with names, for generators of clients.

Those of schemas/ are made to judge and to word what is wrong; what they accept stays the same.
"""

from placement.openapi import meanings

# By the end of the path to it; the longest match counts. A path is that of meanings.py, with []
# for the items of an array, * for the values of a map, and numbers for alternatives. Maps, which
# are dicts in most languages, have no names, but for the amounts that most of them lead to.
_NAMES = {
    "audit_ledger.answer": "Audit",
    "audit_ledger.answer.checks.[]": "AuditCheck",
    "count_fits.answer": "Fit",
    "count_fits.answer.hosts.[]": "HostFit",
    "count_fits.answer.unknown.[]": "UnknownName",
    "create_inventory.answer": "ProviderInventory",
    "create_inventory.request": "NewInventory",
    "create_resource_class.request": "NewResourceClass",
    "create_resource_provider.answer": "ResourceProvider",
    "create_resource_provider.answer.links.[]": "ResourceProviderLink",
    "create_resource_provider.request": "NewResourceProvider",
    "describe_api.answer": "OpenAPIDocument",
    "error_document": "ErrorDocument",
    "error_document.errors.[]": "Error",
    "error_plain": "PlainError",
    "error_token": "TokenError",
    "error_token.error": "TokenErrorDetail",
    "explain_candidates.answer": "Explanation",
    "explain_candidates.answer.closest.[]": "ClosestHost",
    "explain_candidates.answer.closest.[].unmet.[]": "UnmetConstraint",
    "explain_candidates.answer.closest.[].unmet.[].provider": "NamedProvider",
    "explain_candidates.answer.closest.[].unmet.[].serving.*.[]": "NamedProvider",
    "explain_candidates.answer.constraints.[]": "Constraint",
    "explain_candidates.answer.host": "NamedProvider",
    "explain_candidates.answer.hosts": "HostCounts",
    "explain_candidates.answer.relaxations.[]": "Relaxation",
    "explain_candidates.answer.relaxations.[].also.[]": "Change",
    "explain_candidates.answer.relaxations.[].example": "NamedProvider",
    "explain_candidates.answer.unknown.[]": "UnknownName",
    "links.[]": "Link",
    "list_allocation_candidates.answer": "AllocationCandidates",
    "list_allocation_candidates.answer.allocation_requests.[]": "AllocationRequest",
    "list_allocation_candidates.answer.allocation_requests.[].allocations.*": "RequestedAllocation",
    "list_allocation_candidates.answer.allocation_requests.[].allocations.[]": (
        "RequestedAllocation"
    ),
    "list_allocation_candidates.answer.provider_summaries.*": "ProviderSummary",
    "list_allocation_candidates.answer.provider_summaries.*.resources": "ResourceSummaries",
    "list_allocation_candidates.answer.provider_summaries.*.resources.*": "ResourceSummary",
    "list_allocations.answer.0": "ConsumerAllocations",
    "list_allocations.answer.0.allocations.*": "AllocationOfProvider",
    "list_allocations.answer.1": "NoAllocations",
    "list_inventories.answer": "Inventories",
    "list_inventories.answer.inventories.*": "Inventory",
    "list_provider_aggregates.answer": "ProviderAggregates",
    "list_provider_allocations.answer": "ProviderAllocations",
    "list_provider_allocations.answer.allocations.*": "AllocationOfConsumer",
    "list_provider_traits.answer": "ProviderTraits",
    "list_resource_classes.answer": "ResourceClasses",
    "list_resource_classes.answer.resource_classes.[]": "ResourceClass",
    "list_whole_providers.answer": "WholeProviders",
    "list_whole_providers.answer.resource_providers.[]": "WholeProvider",
    "list_whole_providers.answer.resource_providers.[].inventories.*": "InventoryWithUse",
    "list_whole_providers.answer.resource_providers.[].allocations.*": "AllocationWithOwner",
    "list_resource_providers.answer": "ResourceProviders",
    "list_resource_providers.answer.resource_providers.[]": "ResourceProvider",
    "list_resource_providers.answer.resource_providers.[].links.[]": "ResourceProviderLink",
    "list_traits.answer": "Traits",
    "list_versions.answer": "Versions",
    "list_versions.answer.versions.[]": "VersionRange",
    "rename_resource_class.answer": "ResourceClass",
    "rename_resource_class.request": "NewResourceClass",
    "repair_ledger.answer": "Repaired",
    "repair_ledger.request": "Repair",
    "replace_allocations.request": "Claim",
    "replace_allocations.request.allocations.*": "ClaimedAllocation",
    "replace_allocations.request.allocations.*.resources": "ClaimedAmounts",
    "replace_allocations.request.allocations.[]": "ClaimedAllocation",
    "replace_allocations.request.allocations.[].resources": "ClaimedAmounts",
    "replace_allocations_of_many.request": "Claims",
    "replace_allocations_of_many.request.*": "Claim",
    "replace_allocations_of_many.request.*.allocations.*": "ClaimedAllocation",
    "replace_allocations_of_many.request.*.allocations.*.resources": "ClaimedAmounts",
    "replace_inventories.answer": "Inventories",
    "replace_inventories.answer.inventories.*": "Inventory",
    "replace_inventories.request": "InventoriesUpdate",
    "replace_inventories.request.inventories.*": "InventoryValues",
    "replace_inventory.answer": "ProviderInventory",
    "replace_inventory.request": "InventoryUpdate",
    "replace_provider_aggregates.answer": "ProviderAggregates",
    "replace_provider_aggregates.request": "ProviderAggregatesUpdate",
    "replace_provider_traits.answer": "ProviderTraits",
    "replace_provider_traits.request": "ProviderTraitsUpdate",
    "reshape.request": "Reshape",
    "reshape.request.allocations.*": "Claim",
    "reshape.request.allocations.*.allocations.*": "ClaimedAllocation",
    "reshape.request.allocations.*.allocations.*.resources": "ClaimedAmounts",
    "reshape.request.inventories.*": "InventoriesUpdate",
    "reshape.request.inventories.*.inventories.*": "InventoryValues",
    "resource_provider": "ProviderReference",
    "resources": "Amounts",
    "show_capacity.answer": "Capacity",
    "show_capacity.answer.fullest.[]": "FullInventory",
    "show_capacity.answer.rows.[]": "CapacitySums",
    "show_inventory.answer": "ProviderInventory",
    "show_project_usages.answer": "ProjectUsages",
    "show_provider_usages.answer": "ProviderUsages",
    "show_resource_class.answer": "ResourceClass",
    "show_service.answer": "Service",
    "show_resource_provider.answer": "ResourceProvider",
    "show_resource_provider.answer.links.[]": "ResourceProviderLink",
    "update_resource_provider.answer": "ResourceProvider",
    "update_resource_provider.answer.links.[]": "ResourceProviderLink",
    "update_resource_provider.request": "ResourceProviderUpdate",
}


class Shapes:
    """The schemas of one document. Attributes: named, {name: schema} of those to refer to."""

    def __init__(self):
        self.named = {}

    def of(self, schema, *path):
        """Return the schema for a body, at `path`: the name of an operation, and which body.

        Raises: KeyError for a property without a meaning.
        """
        return self._referring(_with_plain_maps(meanings.added_to(schema, *path)), path)

    def called(self, name, shape):
        """Return a reference to the schema, which is kept under a name.

        In versions in which what has that name is not the same everywhere, the rest are returned as
        they are.
        """
        if self.named.setdefault(name, shape) != shape:
            return shape
        return {"$ref": f"#/components/schemas/{name}"}

    def _referring(self, schema, path):
        """Put references where the shape has a name."""
        members = {
            "properties": lambda each: {
                name: self._referring(value, (*path, name)) for name, value in each.items()
            },
            "items": lambda each: self._referring(each, (*path, "[]")),
            "additionalProperties": lambda each: self._referring(each, (*path, "*")),
            "anyOf": lambda each: [
                self._referring(value, (*path, str(number))) for number, value in enumerate(each)
            ],
        }
        if not isinstance(schema, dict):
            return schema
        shape = {
            keyword: members[keyword](value) if keyword in members else value
            for keyword, value in schema.items()
        }
        name = _name_at(path)
        if name is None:
            return shape
        # What it means depends on where it is.
        meaning = {"description": shape.pop("description")} if "description" in shape else {}
        return self.called(name, shape) | meaning


def _name_at(path):
    ends = (".".join(path[start:]) for start in range(len(path)))
    return next((_NAMES[end] for end in ends if end in _NAMES), None)


def _with_plain_maps(schema):
    """Say of maps what their keys and values are like apart from each other.

    Generators of clients do not understand `patternProperties`.
    """
    if isinstance(schema, list):
        return [_with_plain_maps(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {keyword: _with_plain_maps(value) for keyword, value in schema.items()}
    if "patternProperties" not in plain:
        return plain
    ((pattern, values),) = plain.pop("patternProperties").items()
    # If all is said of other keys, too, they are refused: here, or where names are looked up.
    if "additionalProperties" in plain:
        names = {"type": "string", "pattern": pattern}
        plain["propertyNames"] = names | plain.get("propertyNames", {})
    return plain | {"additionalProperties": values}
