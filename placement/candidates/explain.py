"""Why are there no candidates, or so few? The hosts of the database are asked, batch by batch.

Source: doc/how-to/no-valid-host.rst.
"""

import difflib
import itertools
from typing import NamedTuple

import os_traits

from placement import exception
from placement.candidates import forests, resolution, wording
from placement.candidates.constraints import Constraint
from placement.candidates.effort import SpentError
from placement.candidates.explanation import Explanation
from placement.db import forests as db_forests
from placement.db import names as db_names
from placement.db import resource_classes as db_classes
from placement.db import roots
from placement.db import traits as db_traits

# Hosts that are in memory at once.
_BATCH = 2000
_MOST_SUGGESTIONS = 3
_CUSTOM = "CUSTOM_"


class Unknown(NamedTuple):
    """A name of the query that nothing has, and the likeliest names that were meant."""

    kind: str
    name: str
    suggestions: list[str]


class Explained(NamedTuple):
    """An Explanation, and the words for what is in it.

    texts      Constraint -> what the query says; None for what it does not say in one place
    unknown    the names of the query that nothing has
    providers  id -> (uuid, name)
    """

    explanation: Explanation
    texts: dict[Constraint, str | None]
    unknown: list[Unknown]
    providers: dict[int, tuple[str, str]]


def explain(conn, query, one_provider_per_tree, closest, effort):
    """Return what is Explained of a CandidateQuery.

    Cost: two statements for each batch of hosts, and at most six more.
    Raises: ExplanationTooLong.
    """
    names = resolution.known(conn, query)
    sharing = roots.sharing_providers(conn, names.traits[os_traits.MISC_SHARES_VIA_AGGREGATE])
    complete = resolution.with_unknown(query, names)
    resolved = resolution.resolved(query, complete)
    explanation = Explanation(resolved, one_provider_per_tree, closest, effort)
    class_ids = [class_id for class_id in complete.resource_classes.values() if class_id >= 0]
    trait_ids = [trait_id for trait_id in complete.traits.values() if trait_id >= 0]
    try:
        for forest in _forests(conn, sharing, class_ids, trait_ids):
            explanation.look_at(forest)
    except SpentError:
        raise exception.ExplanationTooLong() from None
    named = {close.root_id for close in explanation.closest}
    named |= {each.example for each in explanation.relaxations}
    for unmet in itertools.chain.from_iterable(close.unmet for close in explanation.closest):
        named |= {unmet.provider_id, *itertools.chain(*unmet.serving.values())} - {None}
    return Explained(
        explanation,
        wording.texts(query, complete),
        _unknown(conn, query, names),
        db_names.of_providers(conn, named),
    )


def _forests(conn, sharing, class_ids, trait_ids):
    """Yield the Forests of all roots, with what is asked for of their providers."""
    last_root_id = 0
    sharing_ids = [provider.id for provider in sharing]
    sharing_roots = {provider.root_id for provider in sharing}
    while providers := db_forests.providers_for(
        conn, roots.batch(span=roots.Span(last_root_id, None), size=_BATCH), class_ids, trait_ids
    ):
        root_ids = [provider.id for provider in providers if provider.parent_id is None]
        last_root_id = root_ids[-1]
        if others := sharing_roots.difference(root_ids):
            providers += db_forests.providers_for(
                conn, roots.batch([roots.among(others)]), class_ids, trait_ids
            )
        yield forests.build(providers, sharing_ids, root_ids)


def _unknown(conn, query, names):
    """Return the Unknowns of a CandidateQuery."""
    classes = {name for group in query.groups for name in group.resources}
    unknown_classes = sorted(classes - names.resource_classes.keys())
    unknown_traits = sorted(resolution.traits_of(query) - names.traits.keys())
    unknown_trees = sorted({group.in_tree for group in query.groups} - {None} - names.trees.keys())
    found = [Unknown("provider", uuid, []) for uuid in unknown_trees]
    if unknown_classes:
        found += _likely("resource class", unknown_classes, db_classes.list_all(conn))
    if unknown_traits:
        found += _likely("trait", unknown_traits, db_traits.list_matching(conn))
    return found


def _likely(kind, unknown, rows):
    """Return an Unknown for each name; `rows` are the NamedRows of those that are known.

    Names are compared without the prefix of custom ones, by which any two of them would be alike.
    """
    known = {row.name.removeprefix(_CUSTOM): row.name for row in rows}
    found = []
    for name in unknown:
        stem = name.removeprefix(_CUSTOM)
        likely = difflib.get_close_matches(stem, known, _MOST_SUGGESTIONS)
        found.append(Unknown(kind, name, [known[each] for each in likely]))
    return found
