"""The query string of GET /resource_providers -> ProviderFilters; pure.

Source: doc/explanation/rules.rst, L1 and L2.
"""

from placement import schemas
from placement.microversion import Since, version_flags
from placement.objects.provider_filters import ProviderFilters
from placement.queries import grammar


def validator(since):
    """Return the validator for the queries of a version.

    since: a function that returns whether the version has a behaviour
    """
    return schemas.resource_provider.list_query(
        member_of=since(Since.LIST_MEMBER_OF),
        resources=since(Since.LIST_RESOURCES),
        in_tree=since(Since.NESTED_PROVIDERS),
        required=since(Since.LIST_REQUIRED),
    )


def filters(pairs, since):
    """Return the ProviderFilters of an accepted MultiDict. Raises: BadQuery."""
    member_of, not_member_of = grammar.member_of(
        "member_of", pairs.getall("member_of"), **version_flags.member_of(since)
    )
    required, forbidden = grammar.required(
        pairs.getall("required"), **version_flags.required(since)
    )
    resources = pairs.get("resources")
    return ProviderFilters(
        name=pairs.get("name") or None,
        uuid=pairs.get("uuid"),
        in_tree=pairs.get("in_tree"),
        required=required,
        forbidden=forbidden,
        member_of=member_of,
        not_member_of=not_member_of,
        resources={} if resources is None else grammar.resources(resources),
    )
