"""What a query would ask for if its misspelt names were others, or not there; pure."""

import operator
import re

from placement.candidates import constraints, wording
from placement.candidates.why import spelling

# The constraints that no host meets if a name in them is unknown, and what it is the name of.
_KINDS = {
    "in_tree": spelling.PROVIDER,
    "member_of": spelling.AGGREGATE,
    "required": spelling.TRAIT,
    "root_required": spelling.TRAIT,
    "resources": spelling.RESOURCE_CLASS,
}
_FIELDS = {
    spelling.PROVIDER: "trees",
    spelling.AGGREGATE: "aggregates",
    spelling.TRAIT: "traits",
    spelling.RESOURCE_CLASS: "resource_classes",
}


def of_query(query, names, texts, unknown):
    """Return {Constraint: {the same without a mistake: what it says}}, likeliest first.

    `query` is a ResolvedQuery by Names in which the `unknown` (Unknowns) have keys of their own,
    and `texts` says what its Constraints say.
    """
    asked = constraints.of_query(query)
    classes = {(each.group, each.value[0]) for each in asked if each.name == "resources"}
    traits = _unknown_traits(names, unknown)
    found = {}
    for each in filter(operator.attrgetter("meant"), unknown):
        key = getattr(names, _FIELDS[each.kind])[each.name]
        for constraint in asked:
            if _KINDS.get(constraint.name) != each.kind or not _is_about(constraint, key):
                continue
            for name, meant_key in each.meant.items():
                # A class that the group asks for already would be asked for twice.
                is_class = constraint.name == "resources"
                if not (is_class and (constraint.group, meant_key) in classes):
                    corrected = _corrected(constraint, key, meant_key)
                    text = _text(texts[constraint], each, name)
                    if each.kind == spelling.TRAIT:
                        corrected, text = _of_known_traits(corrected, text, traits)
                    found.setdefault(constraint, {})[corrected] = text
    return found


def refused(query, names, texts, unknown):
    """Return {Constraint: (the same without unknown traits, or None if none is left; its text)}.

    Of those that hosts may meet all the same: forbidden traits, and one of several alternatives.
    The query is refused nevertheless as long as it names them (Q5). Otherwise as of_query.
    """
    traits = _unknown_traits(names, unknown)
    found = {}
    for constraint in constraints.of_query(query):
        if constraint.name not in ("required", "forbidden", "root_forbidden"):
            continue
        if constraint.value.isdisjoint(traits):
            continue
        known, text = _of_known_traits(constraint, texts[constraint], traits)
        if known.value:
            found[constraint] = known, text
        elif constraint.name != "required":
            found[constraint] = None, None
    return found


def _unknown_traits(names, unknown):
    return {names.traits[each.name]: each.name for each in unknown if each.kind == spelling.TRAIT}


def _of_known_traits(constraint, text, unknown):
    """Return a Constraint about traits, and its text, without those of {trait_id: name}."""
    words = wording.words(text) - set(unknown.values())
    return constraint._replace(value=constraint.value.difference(unknown)), wording.any_of(words)


def _is_about(constraint, key):
    if constraint.name == "resources":
        return constraint.value[0] == key
    if constraint.name == "in_tree":
        return constraint.value == key
    return key in constraint.value


def _corrected(constraint, key, meant_key):
    if constraint.name == "resources":
        value = (meant_key, constraint.value[1])
    elif constraint.name == "in_tree":
        value = meant_key
    else:
        value = constraint.value - {key} | {meant_key}
    return constraint._replace(value=value)


def _text(text, unknown, name):
    return re.sub(rf"\b{re.escape(unknown.name)}\b", name, text)
