"""Slots and their options -> every way to give each slot one of its options; pure.

A *slot* is what one provider must serve: a granular group, or one class of the unsuffixed group.
Its *options* are the providers that could, if nothing else were asked of them. Equal slots with
equal options make one *demand*.

Slots are placed one by one, those of the scarcest demand first, and the others lose the options
that are no longer possible; so a branch ends as soon as a demand has no option left. A state that
failed is remembered up to the exchange of equal providers and of equal slots: a search without an
answer is short even where there are many of both.
Source: doc/rules.rst, R2, R8, R11.
"""

from dataclasses import dataclass
from typing import NamedTuple

from placement.candidates import rules


class Slot(NamedTuple):
    """What one provider must serve: (class_id, amount) pairs, none for a resource-less group."""

    suffix: str
    needs: tuple[tuple[int, int], ...]
    is_granular: bool


class _Demand(NamedTuple):
    """Slots still to be placed, with the same needs and the same options."""

    positions: list[int]
    needs: tuple[tuple[int, int], ...]
    is_granular: bool
    options: tuple[int, ...]


@dataclass(slots=True)
class _State:
    """What is placed, and what is not yet.

    amounts         (provider_id, class_id) -> amount placed
    provider_ids    position of a placed slot -> provider
    granular_ids    the providers that serve a granular slot
    used_by_root    root -> the provider of its tree that is allocated from; empty if there may
                    be several
    missing         required sets of traits that no provider of the unsuffixed group has hit
    demands         what is still to be placed; each option can take one more of its slots
    """

    amounts: dict[tuple[int, int], int]
    provider_ids: dict[int, int]
    granular_ids: set[int]
    used_by_root: dict[int, int]
    missing: tuple[frozenset[int], ...]
    demands: list[_Demand]

    def copy(self):
        """Return a state that can be changed apart from this one."""
        return _State(
            self.amounts.copy(),
            self.provider_ids.copy(),
            self.granular_ids.copy(),
            self.used_by_root.copy(),
            self.missing,
            self.demands,
        )


@dataclass(slots=True)
class Effort:
    """What a search has cost so far; the same search always costs the same.

    states  placements of one slot that were tried
    """

    states: int = 0


class Assignment:
    """The ways to serve the slots of one anchor.

    required: sets of traits that the providers of the unsuffixed slots must hit together
    isolate: granular slots are served by different providers
    one_provider_per_tree: never take from two providers of one tree
    effort: counts what is tried
    """

    def __init__(self, providers, slots, required, isolate, one_provider_per_tree, effort):
        self.providers = providers
        self.slots = slots
        self.required = required
        self.isolate = isolate
        self.one_provider_per_tree = one_provider_per_tree
        self.effort = effort
        # `_likeness` of the states that failed; valid for all lists of options.
        self.hopeless = set()

    def complete(self, options):
        """Yield (amounts, provider_ids) for each way; options are by position of the slot.

        amounts: {(provider_id, class_id): amount}; provider_ids: {position: provider_id}.
        Order: that of the options, depth first. The stack is not Python's own, because a query
        may have more groups than that can hold.
        """
        start = self._start(options)
        if start is None:
            return
        if not start.demands:
            yield start.amounts, start.provider_ids
            return
        found = 0
        stack = [(start, self._children(start), found)]
        while stack:
            state, children, found_before = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                if found == found_before:
                    self.hopeless.add(self._likeness(state))
            elif not child.demands:
                found += 1
                yield child.amounts, child.provider_ids
            elif not (self.hopeless and self._likeness(child) in self.hopeless):
                stack.append((child, self._children(child), found))

    def _start(self, options):
        """Return the state with all slots placed that have no choice, or None if that fails."""
        state = _State({}, {}, set(), {}, self.required, [])
        positions = {}
        for position, slot in enumerate(self.slots):
            choice = options[position]
            if len(choice) > 1:
                kind = (slot.needs, slot.is_granular, choice)
                positions.setdefault(kind, []).append(position)
            elif self._can_take(state, choice[0], slot):
                self._take(state, choice[0], slot, position)
            else:
                return None
        demands = [_Demand(equal, *kind) for kind, equal in positions.items()]
        state.demands = self._still_open(state, demands)
        return state if self._may_succeed(state) else None

    def _children(self, state):
        """Yield the states that follow when one slot of the scarcest demand is placed."""
        demand = min(state.demands, key=lambda demand: len(demand.options))
        position, *rest = demand.positions
        others = [other for other in state.demands if other is not demand]
        if rest:
            others.append(demand._replace(positions=rest))
        for provider_id in demand.options:
            self.effort.states += 1
            child = state.copy()
            self._take(child, provider_id, demand, position)
            child.demands = self._still_open(child, others, provider_id)
            if self._may_succeed(child):
                yield child

    def _can_take(self, state, provider_id, slot):
        """Return whether a provider can serve a slot, given what is placed (R8, R11)."""
        provider = self.providers[provider_id]
        if self.isolate and slot.is_granular and provider_id in state.granular_ids:
            return False
        # Empty where a tree may be used any number of times.
        if slot.needs and state.used_by_root.get(provider.root_id, provider_id) != provider_id:
            return False
        for class_id, amount in slot.needs:
            taken = state.amounts.get((provider_id, class_id))
            if taken is not None and taken + amount > rules.headroom(provider.rooms[class_id]):
                return False
        return True

    def _take(self, state, provider_id, slot, position):
        """Place a slot."""
        provider = self.providers[provider_id]
        state.provider_ids[position] = provider_id
        for class_id, amount in slot.needs:
            key = (provider_id, class_id)
            state.amounts[key] = state.amounts.get(key, 0) + amount
        if self.one_provider_per_tree and slot.needs:
            state.used_by_root[provider.root_id] = provider_id
        if slot.is_granular:
            state.granular_ids.add(provider_id)
        elif state.missing:
            state.missing = tuple(
                trait_ids for trait_ids in state.missing if trait_ids.isdisjoint(provider.traits)
            )

    def _still_open(self, state, demands, placed_id=None):
        """Return the demands with the options they still have, after a placement on placed_id."""
        still_open = []
        for demand in demands:
            # A placement takes room from no other provider, except where it takes a whole tree.
            if placed_id is None or placed_id in demand.options or self.one_provider_per_tree:
                options = tuple(
                    option
                    for option in demand.options
                    if self._can_take(state, option, demand)
                )
                if len(options) < len(demand.options):
                    demand = demand._replace(options=options)
            still_open.append(demand)
        return still_open

    def _may_succeed(self, state):
        """Return whether each demand has an option, and each missing set of traits (R2) as well."""
        for demand in state.demands:
            if not demand.options:
                return False
        for trait_ids in state.missing:
            if not any(
                not trait_ids.isdisjoint(self.providers[option].traits)
                for demand in state.demands
                if not demand.is_granular
                for option in demand.options
            ):
                return False
        return True

    def _likeness(self, state):
        """Return a value that two states share only if both or neither can be completed.

        It names no provider, but has for each the demands that it is an option of, the room that
        it has left, as far as the demands could use it, and the missing traits that it could add.
        """
        useful = self._useful_amounts(state.demands)
        memberships = {}
        for position, demand in enumerate(state.demands):
            for option in demand.options:
                memberships.setdefault(option, []).append(position)
        likenesses = []
        for option, membership in memberships.items():
            provider = self.providers[option]
            likenesses.append(
                (
                    tuple(membership),
                    _room_left(provider, state.amounts, useful),
                    tuple(not traits.isdisjoint(provider.traits) for traits in state.missing),
                    provider.root_id if self.one_provider_per_tree else None,
                )
            )
        return (
            tuple((len(d.positions), d.needs, d.is_granular) for d in state.demands),
            tuple(sorted(likenesses)),
        )

    def _useful_amounts(self, demands):
        """Return {class_id: the most that the demands could ever put on one provider}."""
        useful = {}
        largest = {}
        for demand in demands:
            for class_id, amount in demand.needs:
                if self.isolate and demand.is_granular:
                    largest[class_id] = max(amount, largest.get(class_id, 0))
                else:
                    total = amount * len(demand.positions)
                    useful[class_id] = useful.get(class_id, 0) + total
        for class_id, amount in largest.items():
            useful[class_id] = useful.get(class_id, 0) + amount
        return useful


def _room_left(provider, amounts, useful):
    """Return what the provider has left of each class, at most the useful amount."""
    left = []
    for class_id, amount in useful.items():
        room = provider.rooms.get(class_id)
        taken = amounts.get((provider.id, class_id), 0)
        left.append(min(rules.headroom(room) - taken, amount) if room else 0)
    return tuple(left)
