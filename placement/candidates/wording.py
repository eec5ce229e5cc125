"""The constraints of a query in the words of the client; pure."""

from placement.candidates import resolution
from placement.candidates.constraints import TOGETHER_UNMET, Constraint

_ANY_OF = "in:"


def texts(query, names):
    """Return what the query says, for each of its Constraints."""
    texts = {TOGETHER_UNMET.constraint: None}
    for group in query.groups:
        resolved = resolution.resolved_group(group, names)
        said = [("in_tree", resolved.root_id, group.in_tree)]
        for name in ("member_of", "required"):
            for value, words in zip(getattr(resolved, name), getattr(group, name), strict=True):
                said.append((name, value, any_of(words)))
        for name in ("not_member_of", "forbidden"):
            said.append((name, getattr(resolved, name), any_of(getattr(group, name))))
        for value, (class_name, amount) in zip(
            resolved.amounts.items(), group.resources.items(), strict=True
        ):
            said.append(("resources", value, f"{class_name}:{amount}"))
        texts |= {Constraint(group.suffix, name, value): text for name, value, text in said}
    for trait in query.root_required:
        texts[Constraint(None, "root_required", frozenset({names.traits[trait]}))] = trait
    forbidden = frozenset(names.traits[trait] for trait in query.root_forbidden)
    texts[Constraint(None, "root_forbidden", forbidden)] = any_of(query.root_forbidden)
    texts[Constraint(None, "group_policy", "isolate")] = "isolate"
    for suffixes in query.same_subtrees:
        texts[Constraint(None, "same_subtree", suffixes)] = suffixes_of(suffixes)
    return texts


def any_of(words):
    """Return how alternatives are said."""
    return (_ANY_OF if len(words) > 1 else "") + ",".join(sorted(words))


def suffixes_of(same_subtree):
    """Return how the suffixes of a same_subtree are said."""
    return ",".join(sorted(same_subtree))


def words(text):
    """Return the set of alternatives that any_of has said."""
    return set(text.removeprefix(_ANY_OF).split(","))
