"""What a query would ask for if its misspelt names were corrected, or left out; pure."""

import operator
import re

from placement.candidates import constraints
from placement.candidates.kinds.kind import AGGREGATES, CLASSES, SUBJECTS, TRAITS, TREES
from placement.candidates.kinds.words import any_of, words_of
from placement.candidates.resolution import REFUSED
from placement.candidates.why import spelling

_SUBJECTS = {
    spelling.PROVIDER: TREES,
    spelling.AGGREGATE: AGGREGATES,
    spelling.TRAIT: TRAITS,
    spelling.RESOURCE_CLASS: CLASSES,
}


def of_query(query, names, texts, unknown):
    """Return {Constraint: {the same without a mistake: its text}}, likeliest first.

    `query` is a ResolvedQuery by Names in which the `unknown` (Unknowns) have keys of their own,
    and `texts` has the texts of its Constraints.
    """
    asked = constraints.of_query(query)
    classes = {(each.group, each.value[0]) for each in asked if each.kind.is_amount}
    traits = _unknown_keys(names, unknown)[TRAITS]
    found = {}
    for each in filter(operator.attrgetter("meant"), unknown):
        subject = _SUBJECTS[each.kind]
        key = getattr(names, subject)[each.name]
        for constraint in asked:
            if not _rules_all_out(constraint, subject, key):
                continue
            for name, meant_key in each.meant.items():
                # A class that the group asks for already would be asked for twice.
                is_amount = constraint.kind.is_amount
                if not (is_amount and (constraint.group, meant_key) in classes):
                    value = constraint.kind.corrected(constraint.value, key, meant_key)
                    corrected = constraint._replace(value=value)
                    text = _corrected(texts[constraint], each, name)
                    if each.kind == spelling.TRAIT:
                        corrected, text = _of_known(corrected, text, traits)
                    found.setdefault(constraint, {})[corrected] = text
    return found


def refused(query, names, texts, unknown):
    """Return {Constraint: (the same without unknown names, or None if none is left; its text)}.

    Only for constraints that hosts may meet all the same: forbidden traits, and alternatives. The
    query is still refused as long as it has the unknown names (Q5). Otherwise as of_query.
    """
    unknown_keys = _unknown_keys(names, unknown)
    found = {}
    for constraint in constraints.of_query(query):
        kind = constraint.kind
        unknown_of_kind = unknown_keys[kind.subject] if kind.subject in REFUSED else {}
        if kind.is_met_despite(constraint.value, unknown_of_kind.keys()):
            known, text = _of_known(constraint, texts[constraint], unknown_of_kind)
            found[constraint] = (known, text) if known.value else (None, None)
    return found


def _unknown_keys(names, unknown):
    """Return {subject: {key: name}} of Unknowns, by Names in which they have keys."""
    found = {subject: {} for subject in SUBJECTS}
    for each in unknown:
        subject = _SUBJECTS[each.kind]
        found[subject][getattr(names, subject)[each.name]] = each.name
    return found


def _rules_all_out(constraint, subject, key):
    """Return whether no host can meet the constraint because a key in it does not exist."""
    kind = constraint.kind
    return kind.subject == subject and not kind.excludes and kind.is_about(constraint.value, key)


def _of_known(constraint, text, unknown):
    """Return a Constraint on sets of keys, and its text, both without the unknown {key: name}."""
    words = words_of(text) - set(unknown.values())
    return constraint._replace(value=constraint.value.difference(unknown)), any_of(words)


def with_name(said, unknown, name):
    """Return Saids with another name in place of an Unknown's."""
    return [
        each._replace(text=_corrected(each.text, unknown, name))
        if each.kind.subject == _SUBJECTS[unknown.kind]
        else each
        for each in said
    ]


def _corrected(text, unknown, name):
    return re.sub(rf"\b{re.escape(unknown.name)}\b", name, text)
