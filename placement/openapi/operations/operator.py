"""The operations for operators."""

from placement import exception, schemas
from placement.constants import NamedKind
from placement.handlers.operator import (
    audit,
    capacity,
    capacity_history,
    changes,
    evacuation,
    explanation,
    find,
    fit,
    flavors,
    providers,
    query,
    release,
    service,
    survival,
)
from placement.objects.feed import reading
from placement.openapi import refusals
from placement.openapi.operations.allocation_candidate import BAD_QUERY
from placement.openapi.operations.declaration import Operation, constantly, reports, with_etag
from placement.queries import (
    explanation_query,
    fit_query,
    mix_query,
    plan_query,
    release_query,
)

_CANDIDATES = (
    "The query is that of GET /allocation_candidates, in the microversion of the header or, "
    "without one, the newest"
)


def _of_known_names(*kinds):
    """Return the Refusals of a report or plan that refuses unknown traits and classes.

    `kinds` are the exception classes of its other refusals.
    """
    names = exception.UnknownTraits, exception.UnknownResourceClassInQuery
    return [BAD_QUERY, *refusals.of(*names, *kinds)]


OPERATIONS = {
    explanation.show: Operation(
        "explain_candidates",
        "Why a query finds no allocation candidates, or so few.",
        reports(schemas.operator.explanation.shown()),
        f"{_CANDIDATES}. Names that do not exist are listed in the answer. The hosts are counted "
        "constraint by constraint; with `host`, only one host is explained.",
        query=explanation_query.validator,
        refusals=[BAD_QUERY, *refusals.of(exception.NoSuchHost, exception.ExplanationTooLong)],
    ),
    fit.show: Operation(
        "count_fits",
        "How often a request could be claimed, and what stops it.",
        reports(schemas.operator.fit.shown()),
        f"{_CANDIDATES}; it takes no `limit`. Claims are counted one after the other, each taking "
        "the first candidate, until there is none. Nothing is claimed.",
        query=fit_query.validator,
        refusals=_of_known_names(exception.NoSuchHost, exception.FitTooLong),
    ),
    fit.show_mix: Operation(
        "count_fits_of_mix",
        "How many of several requests could be claimed together.",
        reports(schemas.operator.fit.mix_shown()),
        "The queries are those of GET /allocation_candidates, in the microversion of the header "
        "or, without one, the newest; they take no `limit`. The request that takes the largest "
        "share of a class is claimed first, as often as it is wanted or fits, each time with the "
        "first candidate; then the next request. Nothing is claimed.",
        query=constantly(mix_query.NO_QUERY),
        body=constantly(mix_query.BODY),
        refusals=_of_known_names(exception.NoSuchHost, exception.MixTooLong),
    ),
    flavors.show: Operation(
        "count_flavors",
        "How many more instances of each flavor fit.",
        reports(schemas.operator.flavors.shown()),
        "The flavors come from the file set as `[metrics] flavors`. Each flavor is counted on "
        "its own, as if only that flavor were used. If the answer does not have all of them, ask "
        "again with the value of its `next` as `after`.",
        query=constantly(flavors.QUERY),
        refusals=refusals.of(exception.BadQuery),
    ),
    evacuation.show: Operation(
        "plan_evacuation",
        "Whether hosts can be emptied: a place elsewhere for each consumer.",
        reports(schemas.operator.evacuation.shown()),
        "Each consumer is moved as a whole: what it has on each provider of the hosts goes to one "
        "provider below another root, and it keeps what it has on sharing providers. All "
        "consumers find a place at the same time, with the amounts that they hold. Nothing is "
        "moved.",
        query=constantly(plan_query.EVACUATION),
        refusals=refusals.of(
            exception.BadQuery,
            exception.NoSuchHost,
            exception.NoSuchAggregate,
            exception.PlanTooLong,
        ),
    ),
    release.show: Operation(
        "find_release",
        "Which consumers would have to go to make room for a request.",
        reports(schemas.operator.release.shown()),
        f"{_CANDIDATES}; it takes no `limit`. The answer has, for each host where the request does "
        "not fit, the fewest consumers whose removal would make room. Nothing is removed.",
        query=release_query.validator,
        refusals=_of_known_names(exception.NoSuchConsumers, exception.ReleaseTooLong),
    ),
    survival.show: Operation(
        "examine_survival",
        "Which hosts, or aggregates, the cloud cannot spare.",
        reports(schemas.operator.survival.shown()),
        "Each host or aggregate is assumed to be lost alone. Places for its consumers are "
        "found as for an evacuation, with the same heuristic. In a large cloud this takes a "
        "minute.",
        query=constantly(survival.QUERY),
        refusals=refusals.of(exception.BadQuery, exception.SurvivalTooLong),
    ),
    query.translate: Operation(
        "translate_query",
        "Turn a query for allocation candidates into a form, or a form or a flavor into a query.",
        reports(schemas.operator.query.shown()),
        "The body has a query string, a form, or a text that people paste; the answer has a query "
        "and a form. The query is that of the newest microversion, and may be incomplete. A form "
        "may leave out fields. A flavor in a text becomes the query that nova asks.",
        query=constantly(query.NO_QUERY),
        body=constantly(query.BODY),
        refusals=refusals.of(exception.BadQuery),
    ),
    providers.list_all: Operation(
        "list_whole_providers",
        "Providers with everything they have, in one request.",
        with_etag(schemas.operator.whole_provider.listed(), has_lines=True, has_position=True),
        "Filters are those of GET /resource_providers, in the microversion of the header or, "
        "without one, the newest; with consumers=true, allocations are shown, too. A client that "
        "prefers application/x-ndjson gets a line for each provider. The answer shows one state "
        "of the database.",
        query=providers.list_all_query,
        refusals=refusals.of(
            exception.BadQuery, exception.UnknownTraits, exception.UnknownResourceClass
        ),
    ),
    changes.list_all: Operation(
        "list_changes",
        "What was changed after a position, when, and by whom.",
        reports(schemas.operator.changes.listed(reading.KINDS), has_lines=True),
        "A client that continues after `next` misses nothing, whatever is written meanwhile. The "
        "position of a list of providers is its `changes_after`. With order=newest, `before` leads "
        "back in time. A client that prefers application/x-ndjson gets a line for each change, "
        "and a last line with `next`.",
        query=constantly(changes.QUERY),
        refusals=refusals.of(
            exception.BadQuery,
            exception.NoSuchProvider,
            exception.PositionTooNew,
            exception.ChangesExpired,
        ),
    ),
    capacity.show: Operation(
        "show_capacity",
        "How full the cloud is.",
        reports(schemas.operator.capacity.shown()),
        "The capacity of each resource class, and how much of it is used; with by=aggregate or "
        "by=trait, the same for each aggregate or trait. A provider counts in each of its "
        "aggregates and in those of its root, and for each of its own traits. With by=project or "
        "by=consumer_type, what the consumers of each project or type use.",
        query=constantly(capacity.QUERY),
    ),
    capacity_history.show: Operation(
        "show_capacity_history",
        "How full the cloud was, and when it would be full.",
        reports(schemas.operator.capacity_history.shown()),
        "The sums of each resource class are stored once an hour; the answer has the last sums of "
        "each step. After a week of samples, an estimate says when the class would be full at the "
        "pace of the last four weeks, whatever `since` is.",
        query=constantly(capacity_history.QUERY),
        refusals=refusals.of(exception.TooManySteps, exception.HistoryTooLong),
    ),
    audit.audit: Operation(
        "audit_ledger",
        "Check whether the ledger is right.",
        reports(schemas.operator.audit.findings()),
        "All checks see one state of the database, and change nothing.",
        query=constantly(audit.NO_QUERY),
        refusals=refusals.of(exception.BadQuery),
    ),
    audit.repair: Operation(
        "repair_ledger",
        "Repair what the named checks find, or everything that can be repaired.",
        reports(schemas.operator.audit.repaired()),
        "The repair runs in small transactions, while others claim. If the request fails, what has "
        "been repaired so far stays repaired.",
        query=constantly(audit.NO_QUERY),
        body=constantly(audit.REPAIR_BODY),
    ),
    find.find: Operation(
        "find_by_name",
        "Hosts, consumers, projects, aggregates, traits and classes by the beginning of a name.",
        reports(schemas.operator.find.found(NamedKind)),
        "`q` is the beginning of a name or UUID; a trait or class may have it anywhere in its "
        "name. At most ten of each kind are returned.",
        query=constantly(find.QUERY),
    ),
    find.names: Operation(
        "name_ids",
        "The names that the operator has given to UUIDs.",
        reports(schemas.operator.find.named()),
        "The names come from the file set as `[operator] names`. Placement itself "
        "does not know the names of aggregates, projects, users and consumers.",
        query=constantly(find.NO_QUERY),
        body=constantly(find.IDS),
    ),
    service.show: Operation(
        "show_service",
        "The release of the service, its newest microversion, the kind of its database, and the "
        "last audit.",
        reports(schemas.operator.service.shown()),
        "`database` is mysql (also for MariaDB), postgresql or sqlite.",
        query=constantly(service.QUERY),
    ),
}
