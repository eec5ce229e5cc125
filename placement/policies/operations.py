"""The rules that guard the operations of the API."""

from oslo_policy import policy

from placement.policies.building_blocks import (
    ADMIN_OR_PROJECT_READER_OR_SERVICE,
    ADMIN_OR_SERVICE,
    SERVICE,
)

_PROVIDERS = "/resource_providers"
_PROVIDER = "/resource_providers/{uuid}"
_INVENTORIES = "/resource_providers/{uuid}/inventories"
_INVENTORY = "/resource_providers/{uuid}/inventories/{resource_class}"
_PROVIDER_AGGREGATES = "/resource_providers/{uuid}/aggregates"
_PROVIDER_TRAITS = "/resource_providers/{uuid}/traits"
_CLASSES = "/resource_classes"
_CLASS = "/resource_classes/{name}"
_TRAIT = "/traits/{name}"
_CONSUMER = "/allocations/{consumer_uuid}"


def _rule(name, description, *operations, check=ADMIN_OR_SERVICE):
    """Return a rule that guards `operations`, each a pair of method and path.

    `check` is the rule's default, in oslo.policy's language.
    """
    return policy.DocumentedRuleDefault(
        name=name,
        check_str=check,
        description=description,
        operations=[{"method": method, "path": path} for method, path in operations],
        scope_types=["project"],
    )


RULES = [
    _rule("placement:resource_providers:list", "List resource providers.", ("GET", _PROVIDERS)),
    _rule(
        "placement:resource_providers:create",
        "Create a resource provider.",
        ("POST", _PROVIDERS),
    ),
    _rule("placement:resource_providers:show", "Show a resource provider.", ("GET", _PROVIDER)),
    _rule(
        "placement:resource_providers:update",
        "Rename or move a resource provider.",
        ("PUT", _PROVIDER),
    ),
    _rule(
        "placement:resource_providers:delete",
        "Delete a resource provider.",
        ("DELETE", _PROVIDER),
    ),
    _rule("placement:resource_classes:list", "List resource classes.", ("GET", _CLASSES)),
    _rule(
        "placement:resource_classes:create",
        "Create a custom resource class.",
        ("POST", _CLASSES),
    ),
    _rule("placement:resource_classes:show", "Show a resource class.", ("GET", _CLASS)),
    _rule(
        "placement:resource_classes:update",
        "Ensure that a custom resource class exists, or rename it.",
        ("PUT", _CLASS),
    ),
    _rule(
        "placement:resource_classes:delete",
        "Delete a custom resource class.",
        ("DELETE", _CLASS),
    ),
    _rule(
        "placement:resource_providers:inventories:list",
        "List the inventories of a resource provider.",
        ("GET", _INVENTORIES),
    ),
    _rule(
        "placement:resource_providers:inventories:create",
        "Add an inventory to a resource provider.",
        ("POST", _INVENTORIES),
    ),
    _rule(
        "placement:resource_providers:inventories:show",
        "Show one inventory of a resource provider.",
        ("GET", _INVENTORY),
    ),
    _rule(
        "placement:resource_providers:inventories:update",
        "Replace one or all inventories of a resource provider.",
        ("PUT", _INVENTORIES),
        ("PUT", _INVENTORY),
    ),
    _rule(
        "placement:resource_providers:inventories:delete",
        "Delete one or all inventories of a resource provider.",
        ("DELETE", _INVENTORIES),
        ("DELETE", _INVENTORY),
    ),
    _rule(
        "placement:resource_providers:aggregates:list",
        "List the aggregates of a resource provider.",
        ("GET", _PROVIDER_AGGREGATES),
    ),
    _rule(
        "placement:resource_providers:aggregates:update",
        "Replace the aggregates of a resource provider.",
        ("PUT", _PROVIDER_AGGREGATES),
    ),
    _rule(
        "placement:resource_providers:usages",
        "Show how much of a resource provider is used.",
        ("GET", "/resource_providers/{uuid}/usages"),
    ),
    _rule(
        "placement:usages",
        "Show what a project uses.",
        ("GET", "/usages"),
        check=ADMIN_OR_PROJECT_READER_OR_SERVICE,
    ),
    _rule("placement:traits:list", "List traits.", ("GET", "/traits")),
    _rule("placement:traits:show", "Check whether a trait exists.", ("GET", _TRAIT)),
    _rule("placement:traits:update", "Ensure that a custom trait exists.", ("PUT", _TRAIT)),
    _rule("placement:traits:delete", "Delete a custom trait.", ("DELETE", _TRAIT)),
    _rule(
        "placement:resource_providers:traits:list",
        "List the traits of a resource provider.",
        ("GET", _PROVIDER_TRAITS),
    ),
    _rule(
        "placement:resource_providers:traits:update",
        "Replace the traits of a resource provider.",
        ("PUT", _PROVIDER_TRAITS),
    ),
    _rule(
        "placement:resource_providers:traits:delete",
        "Remove all traits from a resource provider.",
        ("DELETE", _PROVIDER_TRAITS),
    ),
    _rule(
        "placement:allocations:manage",
        "Write the allocations of several consumers.",
        ("POST", "/allocations"),
    ),
    _rule("placement:allocations:list", "List the allocations of a consumer.", ("GET", _CONSUMER)),
    _rule(
        "placement:allocations:update",
        "Replace the allocations of a consumer.",
        ("PUT", _CONSUMER),
    ),
    _rule(
        "placement:allocations:delete",
        "Delete the allocations of a consumer.",
        ("DELETE", _CONSUMER),
    ),
    _rule(
        "placement:resource_providers:allocations:list",
        "List the allocations on a resource provider.",
        ("GET", "/resource_providers/{uuid}/allocations"),
    ),
    _rule(
        "placement:allocation_candidates:list",
        "Find providers that could serve a request.",
        ("GET", "/allocation_candidates"),
    ),
    _rule(
        "placement:reshaper:reshape",
        "Move inventories and their allocations between providers at once.",
        ("POST", "/reshaper"),
        check=SERVICE,
    ),
    _rule(
        "placement:operator:read",
        "Ask why there are no candidates, how often a request fits, where consumers could move or"
        " which would have to go, what providers there are, how full they are, what was changed"
        " and by whom, whether the ledger is right, what a name belongs to, and which release is"
        " running.",
        ("GET", "/operator/explanation"),
        ("GET", "/operator/fit"),
        ("POST", "/operator/fit"),
        ("GET", "/operator/flavors"),
        ("GET", "/operator/evacuation"),
        ("GET", "/operator/survival"),
        ("GET", "/operator/release"),
        ("POST", "/operator/query"),
        ("GET", "/operator/providers"),
        ("GET", "/operator/capacity"),
        ("GET", "/operator/capacity/history"),
        ("GET", "/operator/changes"),
        ("GET", "/operator/audit"),
        ("GET", "/operator/find"),
        ("POST", "/operator/names"),
        ("GET", "/operator/service"),
    ),
    _rule(
        "placement:operator:repair",
        "Repair what is wrong in the ledger.",
        ("POST", "/operator/audit"),
        check=SERVICE,
    ),
]
