"""The constraints of a query in the words of the client; pure."""

from placement.candidates import resolution
from placement.candidates.constraints import TOGETHER_UNMET, Constraint


def texts(query, names):
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
