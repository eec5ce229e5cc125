"""Why there are no candidates, or few: the hosts of the database are examined, batch by batch.

Source: doc/how-to/no-valid-host.rst.
"""

import itertools
from typing import NamedTuple

from placement import exception
from placement.candidates import forests, name_lookup, query_text, resolution
from placement.candidates.effort import SpentError
from placement.candidates.kinds.constraint import Constraint
from placement.candidates.query import ResolvedQuery
from placement.candidates.why import corrections, equal_hosts, reserved_amount, spelling
from placement.candidates.why.examine import Explanation
from placement.candidates.why.unknown_names import Unknown
from placement.db import names_and_ids
from placement.db.search import every_tree, roots, sharing_providers
from placement.db.search import hosts as db_hosts
from placement.db.subjects_of_names import Subject

# The most hosts in memory at once.
BATCH = 5000


class Explained(NamedTuple):
    """An Explanation, and what is needed to put it into words.

    texts         Constraint -> its text in the query; None if it has no text of its own
    names_by_key  {Subject: {key: name}} of the names in the query, and those that may be meant
    unknown       names in the query that do not exist
    providers     id -> MarkedProvider
    reserves      (id of a provider, Constraint) -> the reserved amount, if that amount is in the
                  way
    host          the only db.search.hosts.NamedHost that was examined; None for all hosts
    """

    explanation: Explanation
    texts: dict[Constraint, str | None]
    names_by_key: dict[Subject, dict[int, str]]
    unknown: list[Unknown]
    providers: dict[int, db_hosts.MarkedProvider]
    reserves: dict[tuple[int, Constraint], int]
    host: db_hosts.NamedHost | None

    def text(self, constraint):
        """Return the text of a Constraint of the query, or of one that would replace it."""
        if constraint in self.texts:
            return self.texts[constraint]
        return constraint.text(self.names_by_key)


class _Question(NamedTuple):
    """A query, resolved so that it can be examined even if names in it do not exist.

    resolved      the ResolvedQuery, in which each unknown name has an unused key
    texts, names_by_key, unknown  see Explained
    corrected     see corrections.of_query
    refused       see corrections.refused
    sharing       all SharingProviders
    wanted        what is read of each host
    apart         the roots of the trees that the query names
    """

    resolved: ResolvedQuery
    texts: dict[Constraint, str | None]
    names_by_key: dict[Subject, dict[int, str]]
    unknown: list[Unknown]
    corrected: dict[Constraint, list[Constraint]]
    refused: dict[Constraint, Constraint | None]
    sharing: list[sharing_providers.SharingProvider]
    wanted: every_tree.Wanted
    apart: frozenset[int]


def explain(conn, query, one_provider_per_tree, closest, host, effort):
    """Return the Explained of a CandidateQuery.

    closest: how many of the closest hosts to name
    host: the uuid or name of the only host to examine, or of another provider in its tree; None for
        all hosts
    Cost: two statements for each batch of hosts, and at most twelve more.
    Raises: NoSuchHost, ExplanationTooLong.
    """
    only = None if host is None else _host(conn, host)
    question = _read(conn, query)
    try:
        explanation = _examine(conn, question, only, one_provider_per_tree, closest, effort)
    except SpentError:
        raise exception.ExplanationTooLong() from None
    unmets = [unmet for close in explanation.closest for unmet in close.unmet]
    named = _named(explanation, unmets + _examples(explanation))
    named |= {only.id} if only is not None else set()
    return Explained(
        explanation,
        question.texts,
        question.names_by_key,
        question.unknown,
        providers=db_hosts.mark_disabled(conn, names_and_ids.of_providers(conn, named)),
        reserves=reserved_amount.in_the_way(conn, unmets + _nearest(explanation)),
        host=only,
    )


def _read(conn, query):
    """Return the _Question of a CandidateQuery."""
    names = name_lookup.known(conn, query)
    sharing = sharing_providers.find(conn, resolution.sharing_trait_id(names.traits))
    complete = resolution.with_unknown(query, names)
    resolved = resolution.resolved(query, complete)
    unknown = spelling.unknown_in(conn, query, names)
    return _Question(
        resolved,
        texts=query_text.texts(query, complete),
        names_by_key=_names_by_key(complete, unknown),
        unknown=unknown,
        corrected=corrections.of_query(resolved, complete, unknown),
        refused=corrections.refused(resolved, complete, unknown),
        sharing=sharing,
        wanted=every_tree.Wanted(
            class_ids=_known_or_meant_keys(names, unknown, Subject.RESOURCE_CLASSES),
            trait_ids=_known_or_meant_keys(names, unknown, Subject.TRAITS),
            aggregate_ids=_known_or_meant_keys(names, unknown, Subject.AGGREGATES),
        ),
        apart=_known_or_meant_keys(names, unknown, Subject.TREES),
    )


def _examine(conn, question, only, one_provider_per_tree, closest, effort):
    """Return the Explanation of all hosts, or of one. Raises: SpentError."""
    explanation = Explanation(
        question.resolved,
        one_provider_per_tree,
        closest,
        effort,
        question.corrected,
        question.refused,
    )
    for forest, alike in _forests(conn, question, only):
        effort.check_abort_now()
        effort.allow_for(sum(len(ids) for trees in alike.values() for ids in trees.values()))
        explanation.examine(forest, alike)
    effort.add_objects(sum(map(_size, explanation.closest)))
    # The answer has a query for each of the relaxations.
    effort.add_checks(len(explanation.relaxations) * len(question.texts))
    return explanation


def _names_by_key(names, unknown):
    """Return {Subject: {key: name}} of Names, and of the names that Unknowns may stand for."""
    names_by_key = {
        subject: {key: name for name, key in names.ids_of(subject).items()}
        for subject in Subject
    }
    for each in unknown:
        names_by_key[each.subject].update((key, name) for name, key in each.meant.items())
    return names_by_key


def _named(explanation, unmets):
    """Return the ids of the providers that an answer names; `unmets` are the ones it shows."""
    named = {close.root_id for close in explanation.closest}
    named |= {each.example for each in explanation.relaxations}
    for unmet in unmets:
        named |= {unmet.provider_id, *itertools.chain(*unmet.serving.values())} - {None}
    return named


def _host(conn, text):
    """Return the NamedHost above the provider with a name or uuid. Raises: NoSuchHost."""
    host = db_hosts.host_of_provider(conn, text)
    if host is None:
        raise exception.NoSuchHost(host=text)
    return host


def _forests(conn, question, only):
    """Yield (Forest, alike) of all hosts, or of one. Of hosts that are alike, a Forest has one.

    only: the NamedHost to examine; None for all
    alike: {root id: {root id of a host like it, or its own: ids of the providers in its tree}}
    """
    simplified = equal_hosts.simplifier(question.resolved, question.corrected)
    sharing_ids = [provider.id for provider in question.sharing]
    sharing_roots = {provider.root_id for provider in question.sharing}
    shared = every_tree.trees_of(conn, sharing_roots, question.wanted, simplified)
    wanted = question.wanted.with_aggregates_of(question.sharing, shared)
    conditions = [] if only is None else [roots.among({only.id})]
    for trees in every_tree.batches(conn, wanted, BATCH, conditions, simplified):
        # Trees that the query names, and those with sharing providers, are like no other.
        alike = {
            root_ids[0]: {root_id: trees.ids(root_id) for root_id in root_ids}
            for root_ids in trees.alike(question.apart | sharing_roots)
        }
        providers = [provider for root_id in alike for provider in trees.providers(root_id)]
        # The batch may use sharing providers of any tree, so each Forest has all of their trees.
        for root_id in shared.keys() - alike.keys():
            providers += shared[root_id]
        yield forests.build(providers, sharing_ids, root_ids=alike), alike


def _size(close):
    """Return the number of parts in an answer that describe how close a host is."""
    return sum(1 + sum(map(len, unmet.serving.values())) for unmet in close.unmet)


def _nearest(explanation):
    """Return the Unmets whose reserves the summary may mention, for many hosts or for one."""
    return [each.nearest for each in _tallies(explanation) if each.nearest is not None]


def _examples(explanation):
    """Return the Unmets whose providers the summary may name, for many hosts or for one."""
    return [each.example for each in _tallies(explanation) if each.example is not None]


def _tallies(explanation):
    """Return all Tallies of an Explanation."""
    return [tally for each in explanation.counts for tally in (each.first, each.fail)]


def _known_or_meant_keys(names, unknown, subject):
    """Return the set of a Subject's keys: those in Names, and those that Unknowns may mean."""
    meant = [key for each in unknown if each.subject is subject for key in each.meant.values()]
    return frozenset(names.ids_of(subject).values()).union(meant)
