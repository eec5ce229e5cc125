"""Why there are no candidates, or few: the hosts of the database are examined, batch by batch.

Source: doc/how-to/no-valid-host.rst.
"""

import itertools
from typing import NamedTuple

from placement import exception
from placement.candidates import forests, resolution, wording
from placement.candidates.constraints import Constraint
from placement.candidates.effort import SpentError
from placement.candidates.why import corrections, reserves, spelling
from placement.candidates.why.tally import Explanation
from placement.db import names as db_names
from placement.db.search import forests as db_forests
from placement.db.search import hosts as db_hosts
from placement.db.search import roots

# How many hosts are in memory at once.
_BATCH = 2000


class Explained(NamedTuple):
    """An Explanation, and what is needed to word it.

    asked      Constraint -> its text in the query; None for what has no text of its own
    texts      `asked`, and what the texts would be without a misspelt name
    unknown    names in the query that do not exist
    providers  id -> (uuid, name)
    reserves   (id of a provider, Constraint) -> the reserved amount, if that is in the way
    host       the only db.search.hosts.NamedHost that was examined; None for all hosts
    """

    explanation: Explanation
    asked: dict[Constraint, str | None]
    texts: dict[Constraint, str | None]
    unknown: list[spelling.Unknown]
    providers: dict[int, tuple[str, str]]
    reserves: dict[tuple[int, Constraint], int]
    host: db_hosts.NamedHost | None


def explain(conn, query, one_provider_per_tree, closest, host, effort):
    """Return the Explained of a CandidateQuery.

    `host` is the uuid or name of the only host to examine, or of another provider in its tree; None
    for all hosts.
    Cost: two statements for each batch of hosts, and at most eleven more.
    Raises: NoSuchHost, ExplanationTooLong.
    """
    only = None if host is None else _host(conn, host)
    names = resolution.known(conn, query)
    sharing = roots.sharing_providers(conn, resolution.sharing_trait_id(names))
    complete = resolution.with_unknown(query, names)
    resolved = resolution.resolved(query, complete)
    unknown = spelling.unknown_in(conn, query, names)
    texts = wording.texts(query, complete)
    corrected = corrections.of_query(resolved, complete, texts, unknown)
    refused = corrections.refused(resolved, complete, texts, unknown)
    class_ids = [*names.resource_classes.values(), *_keys_meant(unknown, spelling.RESOURCE_CLASS)]
    trait_ids = [*names.traits.values(), *_keys_meant(unknown, spelling.TRAIT)]
    try:
        explanation = Explanation(
            resolved,
            one_provider_per_tree,
            closest,
            effort,
            corrected,
            {each: other for each, (other, _) in refused.items()},
        )
        for forest in _forests(conn, only, sharing, class_ids, trait_ids):
            effort.look_around()
            effort.allow_for(sum(len(forest.trees[root_id]) for root_id in forest.root_ids))
            explanation.look_at(forest)
        effort.add_objects(sum(map(_size, explanation.closest)))
        # Each has a query of its own.
        effort.add_checks(len(explanation.relaxations) * len(texts))
    except SpentError:
        raise exception.ExplanationTooLong() from None
    named = {close.root_id for close in explanation.closest}
    named |= {each.example for each in explanation.relaxations}
    unmets = [unmet for close in explanation.closest for unmet in close.unmet]
    for unmet in unmets:
        named |= {unmet.provider_id, *itertools.chain(*unmet.serving.values())} - {None}
    return Explained(
        explanation,
        texts,
        texts
        | {other: text for each in corrected.values() for other, text in each.items()}
        | {other: text for other, text in refused.values() if other is not None},
        unknown,
        db_names.of_providers(conn, named),
        reserves.in_the_way(conn, unmets + _nearest(explanation)),
        only,
    )


def _host(conn, text):
    host = db_hosts.above(conn, text)
    if host is None:
        raise exception.NoSuchHost(host=text)
    return host


def _forests(conn, only, sharing, class_ids, trait_ids):
    """Yield the Forests of all hosts, or of one, with what is asked for of their providers."""
    conditions = [] if only is None else [roots.among({only.id})]
    last_root_id = 0
    sharing_ids = [provider.id for provider in sharing]
    sharing_roots = {provider.root_id for provider in sharing}
    while providers := db_forests.providers_for(
        conn,
        roots.batch(conditions, span=roots.Span(last_root_id, None), size=_BATCH),
        class_ids,
        trait_ids,
    ):
        root_ids = forests.roots_of(providers)
        last_root_id = root_ids[-1]
        if others := sharing_roots.difference(root_ids):
            providers += db_forests.providers_for(
                conn, roots.batch([roots.among(others)]), class_ids, trait_ids
            )
        yield forests.build(providers, sharing_ids, root_ids)


def _size(close):
    """Return how many parts an answer has to say how close a host is."""
    return sum(1 + sum(map(len, unmet.serving.values())) for unmet in close.unmet)


def _nearest(explanation):
    """Return the Unmets whose reserves the summary may name, for many hosts or for one."""
    tallies = [tally for each in explanation.counts for tally in (each.first, each.fail)]
    return [tally.nearest for tally in tallies if tally.nearest is not None]


def _keys_meant(unknown, kind):
    return [key for each in unknown if each.kind == kind for key in each.meant.values()]
