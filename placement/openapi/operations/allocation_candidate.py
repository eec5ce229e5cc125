"""Allocation candidates."""

from placement import errors, exception, schemas
from placement.handlers import allocation_candidate
from placement.microversion import version_flags
from placement.openapi import refusals
from placement.openapi.operations.declaration import Operation, shows
from placement.queries import candidate_query

# The refusals of a query for candidates, wherever it is sent.
BAD_QUERY = refusals.with_codes(
    exception.BadQuery,
    errors.UNDEFINED,
    errors.QUERY_DUPLICATE_KEY,
    errors.QUERY_BAD_VALUE,
    errors.QUERY_MISSING_VALUE,
)

OPERATIONS = {
    allocation_candidate.list_all: Operation(
        "list_allocation_candidates",
        "The providers that could serve a request.",
        shows(schemas.allocation_candidate.found, version_flags.candidates),
        "Each allocation request can be claimed as it is. The provider summaries show how full the "
        "providers are.",
        query=candidate_query.validator,
        refusals=[
            BAD_QUERY,
            *refusals.of(
                exception.UnknownTraits,
                exception.UnknownResourceClassInQuery,
                exception.SearchTooLong,
                exception.CandidatesTooLarge,
            ),
        ],
    ),
}
