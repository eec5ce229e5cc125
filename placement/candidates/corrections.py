"""What a query would ask for if its misspelt names were those that were probably meant; pure."""

import re

from placement.candidates import constraints, spelling

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
    found = {}
    for each in unknown:
        key = getattr(names, _FIELDS[each.kind])[each.name]
        for constraint in asked:
            if _KINDS.get(constraint.name) != each.kind or not _is_about(constraint, key):
                continue
            for name, meant_key in each.meant.items():
                if not _is_asked_for_a_class(asked, constraint, meant_key):
                    corrected = _corrected(constraint, key, meant_key)
                    text = _text(texts[constraint], each, name)
                    found.setdefault(constraint, {})[corrected] = text
    return found


def _is_asked_for_a_class(asked, constraint, class_id):
    """Does the group ask for the class already, beside the constraint?"""
    return constraint.name == "resources" and any(
        (each.group, each.name, each.value[0]) == (constraint.group, "resources", class_id)
        for each in asked
        if each.name == "resources"
    )


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
