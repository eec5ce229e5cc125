"""An explanation in one sentence; pure."""

from placement.candidates.constraints import TOGETHER

# What so many hosts do; after a number, and for one host.
_PHRASES = {
    "in_tree": ("are", "is", "not in the tree of {text}"),
    "member_of": ("are", "is", "not in aggregate {text}"),
    "not_member_of": ("are", "is", "in the forbidden aggregate {text}"),
    "required": ("lack", "lacks", "{text}"),
    "forbidden": ("have", "has", "the forbidden trait {text}"),
    "root_required": ("have", "has", "no {text} on the root"),
    "root_forbidden": ("have", "has", "the forbidden trait {text} on the root"),
    "group_policy": ("have", "has", "too few providers for groups that must be kept apart"),
    "same_subtree": ("have", "has", "no providers for {text} one above the others"),
    TOGETHER: ("have", "has", "what each group asks for, but not all of it together"),
}

_PHRASES_OF_RESOURCES = {
    "capacity": ("have", "has", "too little {name} free (at most {free:,}, asked {amount})"),
    "no_inventory": ("offer", "offers", "no {name}"),
    "max_unit": ("give", "gives", "less {name} than {amount} at once (max_unit)"),
    "min_unit": ("give", "gives", "more {name} than {amount} only (min_unit)"),
    "step_size": ("give", "gives", "no {amount} of {name} (step_size)"),
}


def sentence(explained):
    """Return what an Explained says, with the constraints in the order of the query."""
    explanation = explained.explanation
    parts = []
    left = explanation.hosts
    for count in explanation.counts:
        ruled_out, before, left = left - count.left, left, count.left
        if ruled_out:
            others = f"of the other {before:,}, " if parts and left else ""
            parts.append(f"{others}{ruled_out:,} {_phrase(count, ruled_out, explained.texts)}")
    hosts = "host" if explanation.hosts == 1 else "hosts"
    found = f"{explanation.passing:,} of {explanation.hosts:,} {hosts}"
    unknown = "".join(map(_of_unknown, explained.unknown))
    return f"{unknown}{found}: {'; '.join(parts)}." if parts else f"{unknown}{found}."


def _phrase(count, hosts, texts):
    text = texts[count.constraint]
    if count.constraint.name == "resources":
        name, _, amount = text.rpartition(":")
        (reason, _), = count.reasons.most_common(1)
        plural, singular, rest = _PHRASES_OF_RESOURCES[reason]
        rest = rest.format(name=name, amount=f"{int(amount):,}", free=count.most_free)
    else:
        plural, singular, rest = _PHRASES[count.constraint.name]
        rest = rest.format(text=text)
    if count.constraint.group:
        rest = f"{rest} (group {count.constraint.group})"
    return f"{singular if hosts == 1 else plural} {rest}"


def _of_unknown(unknown):
    likely = f"; did you mean {' or '.join(unknown.suggestions)}?" if unknown.suggestions else "."
    return f"No {unknown.kind} is called {unknown.name}{likely} "
