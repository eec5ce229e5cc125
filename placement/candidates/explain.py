"""Why are there no candidates, or so few? The hosts of the database are asked, batch by batch.

Source: doc/explanations.rst.
"""

import difflib
from typing import NamedTuple

import os_traits

from placement import exception
from placement.candidates import forests, resolution
from placement.candidates.constraints import TOGETHER_UNMET, Constraint
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

    Cost: four statements for each batch of hosts, and at most six more.
    Raises: SearchTooLong.
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
        raise exception.SearchTooLong() from None
    named = {close.root_id for close in explanation.closest}
    named |= {each.provider_id for close in explanation.closest for each in close.unmet} - {None}
    return Explained(
        explanation,
        _texts(query, complete),
        _unknown(conn, query, names),
        db_names.of_providers(conn, named),
    )


def _forests(conn, sharing, class_ids, trait_ids):
    """Yield the Forests of all roots, with what is asked for of their providers."""
    last_root_id = 0
    sharing_ids = [provider.id for provider in sharing]
    sharing_roots = {provider.root_id for provider in sharing}
    while root_ids := roots.batch(conn, [], last_root_id, _BATCH):
        last_root_id = root_ids[-1]
        tree_ids = sorted(sharing_roots.union(root_ids))
        providers = db_forests.providers_for(conn, tree_ids, class_ids, trait_ids)
        yield forests.build(providers, sharing_ids, root_ids)


def _texts(query, names):
    """Return what the query says, for each of its Constraints."""
    texts = {TOGETHER_UNMET.constraint: None}
    for group in query.groups:
        resolved = resolution.resolved_group(group, names)
        said = [("in_tree", resolved.root_id, group.in_tree)]
        for name in ("member_of", "required"):
            for value, words in zip(getattr(resolved, name), getattr(group, name), strict=True):
                said.append((name, value, _any_of(words)))
        for name in ("not_member_of", "forbidden"):
            said.append((name, getattr(resolved, name), _any_of(getattr(group, name))))
        for value, (class_name, amount) in zip(
            resolved.amounts.items(), group.resources.items(), strict=True
        ):
            said.append(("resources", value, f"{class_name}:{amount}"))
        texts |= {Constraint(group.suffix, name, value): text for name, value, text in said}
    for trait in query.root_required:
        texts[Constraint(None, "root_required", frozenset({names.traits[trait]}))] = trait
    forbidden = frozenset(names.traits[trait] for trait in query.root_forbidden)
    texts[Constraint(None, "root_forbidden", forbidden)] = _any_of(query.root_forbidden)
    texts[Constraint(None, "group_policy", "isolate")] = "isolate"
    for suffixes in query.same_subtrees:
        texts[Constraint(None, "same_subtree", suffixes)] = ",".join(sorted(suffixes))
    return texts


def _any_of(words):
    return ("in:" if len(words) > 1 else "") + ",".join(sorted(words))


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
    """Return an Unknown for each name; `rows` are the NamedRows of those that are known."""
    known = [row.name for row in rows]
    return [
        Unknown(kind, name, difflib.get_close_matches(name, known, _MOST_SUGGESTIONS))
        for name in unknown
    ]
