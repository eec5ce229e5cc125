"""Trees that are recorded wrongly, found by following the parents of all providers; pure."""

from typing import NamedTuple


class TreeFaults(NamedTuple):
    """What is wrong with the recorded trees.

    wrong_roots     {provider_id: correct root_id} of providers that are recorded with another root
    parent_missing  ids of providers whose parent does not exist
    cycles          ids of providers that are their own ancestors
    """

    wrong_roots: dict[int, int]
    parent_missing: list[int]
    cycles: list[int]


def find(members):
    """Return the TreeFaults of all `members`, which may lack lone providers without a fault."""
    parents = {member.id: member.parent_id for member in members}
    # {id: the root that its parents lead to; None below a missing parent and in or below a cycle}.
    roots = {}
    faults = TreeFaults(wrong_roots={}, parent_missing=[], cycles=[])
    for provider_id in parents:
        # Above the path there is nothing, a cycle, a missing parent, or a provider seen before.
        path, end = _walk(provider_id, parents, known=roots)
        if end in path:
            faults.cycles.extend(path[path.index(end) :])
        elif end is not None and end not in parents:
            faults.parent_missing.append(path[-1])
        root_id = path[-1] if end is None else roots.get(end)
        roots.update(dict.fromkeys(path, root_id))
    for member in members:
        if roots[member.id] not in (None, member.root_id):
            faults.wrong_roots[member.id] = roots[member.id]
    return faults


def _walk(provider_id, parents, known):
    """Return (path, end): a provider and those above it, and the id above the last of them.

    If the last of them is a root, the end is None. Otherwise it is the id of a `known` provider, of
    one on the path, or of one that does not exist.
    """
    # The values do not matter: the keys are an ordered set.
    path = {}
    while provider_id in parents and provider_id not in known and provider_id not in path:
        path[provider_id] = True
        provider_id = parents[provider_id]
    return list(path), provider_id


def ancestors(provider_id, parents):
    """Return the ids of all ancestors of a provider, which must not be in a cycle."""
    ancestor_ids = []
    while (provider_id := parents.get(provider_id)) is not None:
        ancestor_ids.append(provider_id)
    return ancestor_ids
