"""Changes a query for allocation candidates, using only the words of an explanation.

A client that knows the query's parameters, and nothing else of the service, would do the same.
"""

import dataclasses
import urllib.parse

_OF_ROOT = ("root_required", "root_forbidden")


class Asked:
    """What a query asks for.

    groups        {suffix: {"resources": {class: amount}, "in_tree": uuid or None, ...}}, where
                  "required" and "member_of" are lists of sets, and "forbidden" and
                  "not_member_of" are sets
    group_policy  the text of the parameter, or None
    """

    def __init__(self):
        self.groups = {}
        self.group_policy = None
        self.same_subtree = []
        self.root_required = set()
        self.root_forbidden = set()

    def group(self, suffix):
        empty = {"resources": {}, "in_tree": None, "required": [], "member_of": []}
        return self.groups.setdefault(
            suffix, empty | {"forbidden": set(), "not_member_of": set()}
        )

    def text(self):
        """Return the query string, without the parameters that have no value left."""
        pairs = []
        for suffix, group in self.groups.items():
            amounts = ",".join(f"{name}:{amount}" for name, amount in group["resources"].items())
            pairs.append((f"resources{suffix}", amounts))
            pairs += [(f"required{suffix}", _any_of(traits)) for traits in group["required"]]
            pairs += [(f"required{suffix}", f"!{trait}") for trait in sorted(group["forbidden"])]
            pairs += [(f"member_of{suffix}", _any_of(uuids)) for uuids in group["member_of"]]
            if group["not_member_of"]:
                pairs.append((f"member_of{suffix}", f"!{_any_of(group['not_member_of'])}"))
            pairs.append((f"in_tree{suffix}", group["in_tree"]))
        pairs += [("same_subtree", ",".join(sorted(suffixes))) for suffixes in self.same_subtree]
        root = sorted(self.root_required) + [f"!{trait}" for trait in sorted(self.root_forbidden)]
        pairs += [("root_required", ",".join(root)), ("group_policy", self.group_policy)]
        return urllib.parse.urlencode([pair for pair in pairs if pair[1]])

    def change(self, group, constraint, value, instead):
        """Replace a constraint with `instead`, or drop the constraint if `instead` is None."""
        if constraint == "group_policy":
            self.group_policy = instead
        elif constraint == "same_subtree":
            self.same_subtree = _replaced(self.same_subtree, value, instead)
        elif constraint in _OF_ROOT:
            traits = getattr(self, constraint) - _words(value) | _words(instead)
            setattr(self, constraint, traits)
        elif constraint == "resources":
            name, _, _ = value.rpartition(":")
            name_instead, _, amount = instead.rpartition(":")
            amounts = self.groups[group]["resources"]
            del amounts[name]
            amounts[name_instead] = amount
        elif constraint == "in_tree":
            self.groups[group]["in_tree"] = instead
        elif constraint in ("required", "member_of"):
            sets = self.groups[group][constraint]
            self.groups[group][constraint] = _replaced(sets, value, instead)
        else:
            self.groups[group][constraint] = _words(instead)


def asked(query):
    """Return the Asked of a CandidateQuery whose names all exist."""
    found = Asked()
    for each in query.groups:
        group = found.group(each.suffix)
        new = {field.name for field in dataclasses.fields(each)} - {"suffix", *group}
        assert not new, f"tests/changes.py has to learn what {new} ask for"
        group.update(
            {name: list(map(set, getattr(each, name))) for name in ("required", "member_of")}
            | {name: set(getattr(each, name)) for name in ("forbidden", "not_member_of")},
            resources=dict(each.resources),
            in_tree=each.in_tree,
        )
    if sum(each.is_granular for each in query.groups) > 1:
        found.group_policy = "isolate" if query.isolate else "none"
    found.same_subtree = list(map(set, query.same_subtrees))
    found.root_required = set(query.root_required)
    found.root_forbidden = set(query.root_forbidden)
    return found


def _replaced(sets, value, instead):
    """Replace a set with another one, or drop it if `instead` is None."""
    changed = [_words(instead) if each == _words(value) else each for each in sets]
    return [each for each in changed if each]


def _words(text):
    return set(text.removeprefix("in:").split(",")) if text else set()


def _any_of(words):
    return ("in:" if len(words) > 1 else "") + ",".join(sorted(words))
