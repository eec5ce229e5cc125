"""The places of providers in their trees, derived from their parents; pure."""

from typing import NamedTuple


class Lineage(NamedTuple):
    """Where the parents of all providers lead.

    roots           {provider_id: root_id}, the root that its parents lead to, or None
    parent_missing  ids of providers whose parent does not exist
    cycles          ids of providers that are their own ancestors
    """

    roots: dict[int, int | None]
    parent_missing: list[int]
    cycles: list[int]


def trace(places):
    """Return the Lineage for the Places of all providers."""
    parents = {place.id: place.parent_id for place in places}
    lineage = Lineage({}, [], [])
    for provider_id in parents:
        path, end = _walk(provider_id, parents, lineage.roots)
        if end in path:
            lineage.cycles.extend(path[path.index(end) :])
        elif end is not None and end not in parents:
            lineage.parent_missing.append(path[-1])
        root_id = path[-1] if end is None else lineage.roots.get(end)
        lineage.roots.update(dict.fromkeys(path, root_id))
    return lineage


def _walk(provider_id, parents, known):
    """Return (path, end): the way up, and the id above it.

    The end is None above a root; otherwise it is known, does not exist, or is on the path.
    """
    path = {}
    while provider_id in parents and provider_id not in known and provider_id not in path:
        path[provider_id] = True
        provider_id = parents[provider_id]
    return list(path), provider_id


def misplaced(places, lineage):
    """Return {provider_id: correct root_id} of those whose recorded root is another."""
    return {
        place.id: lineage.roots[place.id]
        for place in places
        if lineage.roots[place.id] not in (None, place.root_id)
    }


def ancestors(provider_id, parents):
    """Return the ids of all ancestors of a provider, which must not be in a cycle."""
    found = []
    while (provider_id := parents.get(provider_id)) is not None:
        found.append(provider_id)
    return found
