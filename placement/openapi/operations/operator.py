"""What operators ask of the service."""

from placement import exception, schemas
from placement.handlers.operator import (
    audit,
    capacity,
    explanation,
    fit,
    providers,
    query,
    service,
)
from placement.openapi import refusals
from placement.openapi.operations.allocation_candidate import BAD_QUERY
from placement.openapi.operations.declaration import Operation, constantly, reports, tagged
from placement.queries import explanation_query, fit_query

OPERATIONS = {
    explanation.show: Operation(
        "explain_candidates",
        "Why a query for allocation candidates finds none, or so few.",
        reports(schemas.operator.explanation.shown()),
        "The query is that of GET /allocation_candidates, in the microversion of the header or, "
        "without one, the newest. Names that do not exist are listed in the answer. The hosts are "
        "counted constraint by constraint; with `host`, only one host is explained.",
        query=explanation_query.accepted,
        refusals=[
            BAD_QUERY,
            *refusals.of(exception.NoSuchHost, exception.ExplanationTooLong),
        ],
    ),
    fit.show: Operation(
        "count_fits",
        "How often a request could be claimed, and what stops it.",
        reports(schemas.operator.fit.shown()),
        "The query is that of GET /allocation_candidates, in the microversion of the header or, "
        "without one, the newest; it has no limit. Claims are counted one after the other, each "
        "taking the first candidate, until there is none. Nothing is claimed.",
        query=fit_query.accepted,
        refusals=[
            BAD_QUERY,
            *refusals.of(
                exception.UnknownTraits,
                exception.UnknownResourceClass,
                exception.NoSuchHost,
                exception.FitTooLong,
            ),
        ],
    ),
    query.translate: Operation(
        "translate_query",
        "A query for allocation candidates as a form for people, or a form as a query.",
        reports(schemas.operator.query.shown()),
        "The body has either a query string or a form; the answer has both. The query is that of "
        "the newest microversion, and may be incomplete. A form may leave out fields.",
        query=constantly(query.NO_QUERY),
        body=constantly(query.BODY),
        refusals=refusals.of(exception.BadQuery),
    ),
    providers.list_all: Operation(
        "list_whole_providers",
        "Providers with all that they have, in one request.",
        tagged(schemas.operator.whole_provider.listed(), has_lines=True),
        "Filters are those of GET /resource_providers, in the microversion of the header or, "
        "without one, the newest; with consumers=true, allocations are shown, too. A client that "
        "prefers application/x-ndjson gets a line for each provider. The answer shows one state "
        "of the database.",
        query=providers.list_all_query,
        refusals=refusals.of(
            exception.BadQuery, exception.UnknownTraits, exception.UnknownResourceClass
        ),
    ),
    capacity.show: Operation(
        "show_capacity",
        "How full the cloud is.",
        reports(schemas.operator.capacity.shown()),
        "For each resource class, and with by=aggregate or by=trait for each class in each of "
        "those, what there is and how much of it is used. A provider in two aggregates, or with "
        "two traits, counts in both.",
        query=constantly(capacity.QUERY),
    ),
    audit.audit: Operation(
        "audit_ledger",
        "Check whether the ledger is right.",
        reports(schemas.operator.audit.findings()),
        "All checks see one state of the database, and change nothing.",
        query=constantly(audit.NO_QUERY),
    ),
    audit.repair: Operation(
        "repair_ledger",
        "Repair what the named checks find, or all that can be repaired.",
        reports(schemas.operator.audit.repaired()),
        "The repair runs in small transactions, while others claim. If the request fails, what has "
        "been repaired so far stays repaired.",
        query=constantly(audit.NO_QUERY),
        body=constantly(audit.REPAIR_BODY),
    ),
    service.show: Operation(
        "show_service",
        "The release of the service, its newest microversion, and the kind of its database.",
        reports(schemas.operator.service.shown()),
        "`database` is mysql (also for MariaDB), postgresql or sqlite.",
        query=constantly(service.QUERY),
    ),
}
