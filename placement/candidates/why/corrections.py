"""What a query would ask for if its misspelt names were corrected, or left out; pure."""

import re

from placement.candidates import constraints
from placement.candidates.resolution import REFUSED


def of_query(query, names, unknown):
    """Return {Constraint: [the same constraint with a name corrected, likeliest first]}.

    `query` is a ResolvedQuery that was made with `names`. These also have a key for each name in
    `unknown`, a list of Unknowns.
    """
    askers = {None: query} | {group.suffix: group for group in query.groups}
    unknown_keys = _unknown_keys(names, unknown)
    # The inner dicts serve as ordered sets: only their keys matter.
    corrections = {}
    for misspelt in (each for each in unknown if each.meant):
        key = names.ids_of(misspelt.subject)[misspelt.name]
        for constraint in constraints.of_query(query):
            kind, value = constraint.kind, constraint.value
            # Forbidding a name that does not exist does no harm, so the name is not corrected.
            if kind.subject is not misspelt.subject or not kind.needs(value, key):
                continue
            for meant_key in misspelt.meant.values():
                corrected = kind.corrected(value, key, meant_key, askers[constraint.group])
                if corrected is not None:
                    known = kind.without_unknown(corrected, _refused_keys(kind, unknown_keys))
                    others = corrections.setdefault(constraint, {})
                    others[constraint._replace(value=known)] = None
    return {constraint: [*others] for constraint, others in corrections.items()}


def refused(query, names, unknown):
    """Return {Constraint: the same constraint without unknown names; None if no name is left}.

    The constraints are those that a host may meet in spite of unknown names: forbidden traits, and
    alternatives. The query is still refused as long as it has the unknown names (Q5).
    `query` is a ResolvedQuery that was made with `names`. These also have a key for each name in
    `unknown`, a list of Unknowns.
    """
    unknown_keys = _unknown_keys(names, unknown)
    others = {}
    for constraint in constraints.of_query(query):
        kind, value = constraint.kind, constraint.value
        keys = _refused_keys(kind, unknown_keys)
        if kind.is_met_despite(value, keys):
            known = kind.without_unknown(value, keys)
            others[constraint] = constraint._replace(value=known) if known else None
    return others


def _unknown_keys(names, unknown):
    """Return {Subject: the keys of Unknowns}; `names` are the Names that have these keys."""
    keys_by_subject = {}
    for each in unknown:
        key = names.ids_of(each.subject)[each.name]
        keys_by_subject.setdefault(each.subject, set()).add(key)
    return keys_by_subject


def _refused_keys(kind, unknown_keys):
    """Return the unknown keys for which the constraints of a kind are refused."""
    return unknown_keys.get(kind.subject, set()) if kind.subject in REFUSED else set()


def with_name(written, unknown, name):
    """Return the WrittenConstraints with another name in place of an Unknown's."""
    return [
        each._replace(text=re.sub(rf"\b{re.escape(unknown.name)}\b", name, each.text))
        if each.kind.subject is unknown.subject
        else each
        for each in written
    ]
