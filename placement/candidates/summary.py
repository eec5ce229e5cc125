"""An explanation in one sentence; pure."""

from placement.candidates import spelling
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
    "same_subtree": ("can", "can", "serve {text}, but not in one subtree"),
    TOGETHER: ("have", "has", "what each group asks for, but not all of it together"),
}

_PHRASES_OF_RESOURCES = {
    "capacity": (
        "have",
        "has",
        "too little {name} free (at most {limit:,}, asked {amount:,}{reserved})",
    ),
    "no_inventory": ("offer", "offers", "no {name}"),
    "max_unit": ("give", "gives", "at most {limit:,} {name} at once (max_unit, asked {amount:,})"),
    "min_unit": ("give", "gives", "at least {limit:,} {name} at once (min_unit, asked {amount:,})"),
    "step_size": ("give", "gives", "{name} in steps of {limit:,} (step_size, asked {amount:,})"),
}


def sentence(explained):
    """Return what an Explained says, with the constraints in the order of the query."""
    explanation = explained.explanation
    parts = []
    left = explanation.hosts
    for count in explanation.counts:
        before, left = left, count.left
        if count.first.hosts:
            others = f"of the other {before:,}, " if parts and left else ""
            parts.append(others + ", ".join(_phrases(count, explained)))
    hosts = "host" if explanation.hosts == 1 else "hosts"
    found = f"{explanation.passing:,} of {explanation.hosts:,} {hosts}"
    unknown = "".join(f"{spelling.sentence(each)} " for each in explained.unknown)
    return f"{unknown}{found}: {'; '.join(parts)}." if parts else f"{unknown}{found}."


def _phrases(count, explained):
    """Yield what the hosts have in common that a Count is the first to rule out."""
    text = explained.texts[count.constraint]
    if count.constraint.name != "resources":
        yield _phrase(count.first.hosts, _PHRASES[count.constraint.name], count, text=text)
        return
    name, _, amount = text.rpartition(":")
    for reason, hosts in count.first.reasons.most_common():
        words = {
            "name": name,
            "amount": int(amount),
            "limit": count.first.limits.get(reason),
            "reserved": _reserved(count.first.nearest, explained.reserves),
        }
        yield _phrase(hosts, _PHRASES_OF_RESOURCES[reason], count, **words)


def _reserved(nearest, reserves):
    """Return what is reserved where the most is free, if it would be enough otherwise."""
    reserved = nearest and reserves.get((nearest.provider_id, nearest.constraint))
    return f"; {reserved:,} reserved" if reserved else ""


def _phrase(hosts, phrase, count, **words):
    plural, singular, rest = phrase
    group = f" (group {count.constraint.group})" if count.constraint.group else ""
    return f"{hosts:,} {singular if hosts == 1 else plural} {rest.format(**words)}{group}"
