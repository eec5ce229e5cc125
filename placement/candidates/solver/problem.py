"""What has to be decided at an anchor, whatever providers it has; pure.

Providers are identified by their *places*: their positions among those offered at the anchor. So
hosts that are built alike and have the same devices free have equal problems, and a solution of one
solves them all.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Slot(NamedTuple):
    """What one provider must serve: (class_id, amount) pairs, none for a resource-less group.

    same_subtrees: the numbers of the same_subtrees that name its group
    """

    suffix: str
    needs: tuple[tuple[int, int], ...]
    is_granular: bool
    same_subtrees: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What an assignment must meet at any anchor.

    slots                  each gets one provider
    totals                 class_id -> the sum over all slots; only classes that several slots need
    required               sets of traits that the providers of unsuffixed slots must hit together
    isolate                granular slots are served by different providers
    one_provider_per_tree  never take from two providers of one tree
    """

    slots: tuple[Slot, ...]
    totals: dict[int, int]
    required: tuple[frozenset[int], ...]
    isolate: bool
    one_provider_per_tree: bool

    @property
    def is_about_trees(self):
        """Whether it matters which provider is above which."""
        return self.one_provider_per_tree or any(slot.same_subtrees for slot in self.slots)


class Problem(NamedTuple):
    """Everything the Terms need to know about an anchor. Fields that they do not need are empty.

    options    for each slot, the places that could serve it if nothing else were asked of them
    headrooms  for each class of Terms.totals, what each place could give; no more than the total
    hits       for each place, the numbers of the required sets of traits that it hits
    parents    for each place, the place of the parent, or None; ancestors that are not offered,
               such as those of sharing providers in other trees, have the places after all others
    trees      for each place, the number of its tree
    """

    options: tuple[tuple[int, ...], ...]
    headrooms: tuple[tuple[int, ...], ...]
    hits: tuple[tuple[int, ...], ...]
    parents: tuple[int | None, ...]
    trees: tuple[int, ...]


def build(terms, forest, offered, options):
    """Return the Problem of an anchor; `offered` are its providers, in the order of places."""
    return Problem(
        options,
        tuple([_headrooms(offered, *total) for total in terms.totals.items()]),
        tuple([_hits(provider, terms.required) for provider in offered]) if terms.required else (),
        _parents(forest, offered) if terms.is_about_trees else (),
        _trees(offered) if terms.one_provider_per_tree else (),
    )


def _headrooms(offered, class_id, total):
    """Return, for each place, what it could give of a class; no more than the total."""
    return tuple(
        [
            max(0, min(total, provider.rooms[class_id].headroom))
            if class_id in provider.rooms
            else 0
            for provider in offered
        ]
    )


def _hits(provider, required):
    """Return the numbers of the required sets of traits that a provider hits."""
    return tuple(
        number
        for number, trait_ids in enumerate(required)
        if not trait_ids.isdisjoint(provider.traits)
    )


def _parents(forest, offered):
    """Return, for each place, the place of the parent, or None.

    Ancestors that are not offered have the places after all others.
    """
    places = {provider.id: place for place, provider in enumerate(offered)}
    parents = []
    # The loop below extends this list by the ancestors that are not offered.
    providers = [*offered]
    for provider in providers:
        parent_id = provider.parent_id
        if parent_id is None:
            parents.append(None)
            continue
        if parent_id not in places:
            places[parent_id] = len(providers)
            providers.append(forest.providers[parent_id])
        parents.append(places[parent_id])
    return tuple(parents)


def _trees(offered):
    """Return, for each place, the number of its tree."""
    numbers = {}
    return tuple(numbers.setdefault(provider.root_id, len(numbers)) for provider in offered)
