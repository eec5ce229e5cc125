"""Slots and their options -> every way to give each slot one of its options; pure.

A *slot* is what one provider must serve: a granular group, or one class of the unsuffixed group.
Its *options* are the providers that could serve it if nothing else were asked of them. Equal slots
with equal options form one *demand*.

Providers are identified by their places in the Problem of an anchor (problem.py).

Slots are placed one by one, those of the scarcest demand first. After each placement, the other
slots lose the options that are no longer possible. A branch ends as soon as a demand has no option
left. Once a state has failed, later states are looked at closely before they are entered: has a
state like this one failed (nogoods.py), and could everything that it asks for be served together
(packing.py)?
Source: doc/explanation/rules.rst, R2, R8, R10, R11, A4.
"""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from placement.candidates.solver import packing, subtrees


class Way(NamedTuple):
    """One way to serve all slots of a Problem.

    taken    place -> (class_id, amount) pairs, each class once; in the order of the placements
    serving  suffix -> places: one for a granular group, one or more for the unsuffixed group ""
    """

    taken: dict[int, tuple[tuple[int, int], ...]]
    serving: dict[str, tuple[int, ...]]


class _Demand(NamedTuple):
    """Slots still to be placed, with the same needs and the same options.

    positions      the positions of the slots in Terms.slots
    needs          (class_id, amount) pairs that each of the slots takes from its provider
    same_subtrees  the numbers of the same_subtrees that name their groups
    options        the places of the providers that could still serve one of the slots
    """

    positions: list[int]
    needs: tuple[tuple[int, int], ...]
    is_granular: bool
    same_subtrees: tuple[int, ...]
    options: tuple[int, ...]


@dataclass(slots=True)
class _State:
    """What is placed, and what is not yet.

    amounts   (place, class_id) -> amount placed, for the classes that several slots ask for
    places    position of a placed slot -> place of its provider
    granular  the places of the providers that serve a granular slot
    used      with one provider per tree: tree -> the place of the only provider used in it;
              otherwise empty
    missing   numbers of the required sets of traits that no provider of the unsuffixed group has
              hit
    demands   what is still to be placed; each option of a demand can take one more of its slots
    """

    amounts: dict[tuple[int, int], int]
    places: dict[int, int]
    granular: set[int]
    used: dict[int, int]
    missing: tuple[int, ...]
    demands: list[_Demand]

    def copy(self):
        """Return a copy that can be changed independently."""
        return _State(
            self.amounts.copy(),
            self.places.copy(),
            self.granular.copy(),
            self.used.copy(),
            self.missing,
            self.demands,
        )

    def has_one_slot(self):
        """Whether exactly one slot is still to be placed."""
        return len(self.demands) == 1 and len(self.demands[0].positions) == 1


class Assignment:
    """The ways to serve the slots of a Problem, by its Terms.

    nogoods: the Nogoods of all the assignments with these Terms
    effort: counts what is tried
    """

    def __init__(self, terms, problem, nogoods, effort):
        self.terms = terms
        self.problem = problem
        # Class id -> what each place could give; only classes that several slots need.
        self.headrooms = dict(zip(terms.totals, problem.headrooms, strict=True))
        self.nogoods = nogoods
        self.effort = effort
        # Place -> a tuple of that place alone; shared by all ways.
        self.alone = {}

    def ways(self):
        """Yield each Way.

        A state from which no Way follows is remembered as a *nogood*, so that no other state like
        it is entered (nogoods.py). States are looked at closely only after a first failure.
        Order: that of the options, depth first. The stack is explicit, because a query may have
        more groups than Python's recursion limit.
        Raises: SpentError.
        """
        start = self._start()
        if start is None:
            return
        if not start.demands:
            yield self._way(start.places)
            return
        if start.has_one_slot():
            yield from self._last_ways(start)
            return
        # Nogoods of other anchors may already show that this one has no Way.
        if self.nogoods and self._is_hopeless(start):
            return
        ways_found = 0
        has_failed = False
        # (a state, an iterator over its children, how many ways were found before it)
        stack = [(start, self._children(start), ways_found)]
        while stack:
            state, children, found_before = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                # All children have been tried: did any Way follow from this state?
                if ways_found == found_before:
                    has_failed = True
                    self.nogoods.add(self._nogood_key(state))
            elif child.has_one_slot():
                for way in self._last_ways(child):
                    ways_found += 1
                    yield way
            elif not (has_failed and self._is_hopeless(child)):
                stack.append((child, self._children(child), ways_found))

    def _last_ways(self, state):
        """Yield each Way that follows from a state with one slot left.

        Only traits that are still missing can rule out its options now.
        """
        [demand] = state.demands
        [position] = demand.positions
        for place in demand.options:
            self.effort.add_state()
            if not state.missing or set(state.missing).issubset(self.problem.hits[place]):
                yield self._way(state.places | {position: place})

    def _way(self, placed):
        """Return the Way for {position: place}, which has all slots in the order of placement."""
        slots = self.terms.slots
        parts_by_place = {}
        for position, place in placed.items():
            needs = slots[position].needs
            if place in parts_by_place:
                parts_by_place[place].append(needs)
            elif needs:
                parts_by_place[place] = [needs]
        taken = {
            place: _sum(parts) if len(parts) > 1 else parts[0]
            for place, parts in parts_by_place.items()
        }
        serving = {}
        for position, slot in enumerate(slots):
            place = placed[position]
            if slot.suffix not in serving:
                serving[slot.suffix] = self.alone.setdefault(place, (place,))
            elif place not in serving[slot.suffix]:
                serving[slot.suffix] += (place,)
        return Way(taken, serving)

    def _start(self):
        """Return the state after placing each slot with only one option; None if that fails."""
        missing = tuple(range(len(self.terms.required)))
        state = _State(
            amounts={}, places={}, granular=set(), used={}, missing=missing, demands=[]
        )
        # All fields of a _Demand except its positions -> these positions.
        positions_by_wish = {}
        for position, slot in enumerate(self.terms.slots):
            choice = self.problem.options[position]
            if len(choice) > 1 or slot.same_subtrees:
                wish = (slot.needs, slot.is_granular, slot.same_subtrees, choice)
                positions_by_wish.setdefault(wish, []).append(position)
            elif self._can_take(state, choice[0], slot):
                self._take(state, choice[0], slot, position)
            else:
                return None
        demands = [_Demand(positions, *wish) for wish, positions in positions_by_wish.items()]
        state.demands = self._still_open(state, demands)
        return state if self._narrow(state) else None

    def _children(self, state):
        """Yield the states after placing one slot of the scarcest demand."""
        demand = min(state.demands, key=lambda demand: len(demand.options))
        position, *rest = demand.positions
        others = [other for other in state.demands if other is not demand]
        if rest:
            others.append(demand._replace(positions=rest))
        for place in demand.options:
            self.effort.add_state()
            child = state.copy()
            self._take(child, place, demand, position)
            child.demands = self._still_open(child, others, place)
            if self._narrow(child):
                yield child

    def _can_take(self, state, place, slot):
        """Return whether a provider can serve a slot, given what is placed (R8, R11)."""
        if self.terms.isolate and slot.is_granular and place in state.granular:
            return False
        # With one provider per tree (A4): is another provider of this tree already used?
        if state.used and slot.needs and state.used.get(self.problem.trees[place], place) != place:
            return False
        # `amounts` has only classes that several slots need; each option has room for one slot.
        for class_id, amount in slot.needs:
            taken = state.amounts.get((place, class_id))
            if taken is not None and taken + amount > self.headrooms[class_id][place]:
                return False
        return True

    def _take(self, state, place, slot, position):
        """Record in the state that the provider at this place serves a slot.

        position: the position of the slot in Terms.slots
        """
        state.places[position] = place
        for class_id, amount in slot.needs:
            if class_id in self.headrooms:
                key = (place, class_id)
                state.amounts[key] = state.amounts.get(key, 0) + amount
        if self.terms.one_provider_per_tree and slot.needs:
            state.used[self.problem.trees[place]] = place
        if slot.is_granular:
            state.granular.add(place)
        elif state.missing:
            hits = self.problem.hits[place]
            state.missing = tuple(number for number in state.missing if number not in hits)

    def _still_open(self, state, demands, placed=None):
        """Return the demands with the options that a placement leaves them.

        placed: the place that has just got a slot; None to look at all options
        """
        still_open = []
        checks = 0
        for demand in demands:
            checks += 1
            # A placement affects no other provider, unless it claims a whole tree.
            if placed is None or placed in demand.options or self.terms.one_provider_per_tree:
                options = tuple(
                    option
                    for option in demand.options
                    if self._can_take(state, option, demand)
                )
                checks += len(demand.options)
                if len(options) < len(demand.options):
                    demand = demand._replace(options=options)
            still_open.append(demand)
        self.effort.add_checks(checks)
        return still_open

    def _narrow(self, state):
        """Drop options that would break a same_subtree (R10). Return whether the state may succeed.

        It may succeed if each demand, and each missing set of traits (R2), still has an option.
        """
        if not self._narrow_to_subtrees(state):
            return False
        for demand in state.demands:
            if not demand.options:
                return False
        # `hits` has, for each place, the numbers of the required sets that its provider hits.
        for number in state.missing:
            if not any(
                number in self.problem.hits[option]
                for demand in state.demands
                if not demand.is_granular
                for option in demand.options
            ):
                return False
        return True

    def _narrow_to_subtrees(self, state):
        """Narrow the demands so that each same_subtree can be met (R10); return whether it can."""
        # The numbers of the same_subtrees to look at. When a demand is narrowed, its other
        # same_subtrees are looked at again.
        pending = _same_subtrees(state.demands)
        while pending:
            number = pending.pop(0)
            settled = self._placed_in_subtree(state, number)
            members = [d for d in state.demands if number in d.same_subtrees]
            self.effort.add_checks(len(settled) + sum(len(d.options) for d in members))
            narrowed = subtrees.narrowed(
                [subtrees.Member((place,), 1) for place in settled]
                + [subtrees.Member(d.options, len(d.positions)) for d in members],
                self._ancestors,
                self.terms.isolate,
            )
            if not all(narrowed):
                return False
            for member, options in zip(members, narrowed[len(settled) :], strict=True):
                if len(options) < len(member.options):
                    state.demands[state.demands.index(member)] = member._replace(options=options)
                    pending += set(member.same_subtrees) - {number} - set(pending)
        return True

    def _ancestors(self, place):
        """Return the places of the provider and of all its ancestors, bottom up."""
        places = []
        while place is not None:
            places.append(place)
            place = self.problem.parents[place]
        self.effort.add_ancestors(len(places))
        return places

    def _placed_in_subtree(self, state, number):
        """Return the places of providers that serve slots of the same_subtree with this number."""
        return [
            place
            for position, place in state.places.items()
            if number in self.terms.slots[position].same_subtrees
        ]

    def _is_hopeless(self, state):
        """Return whether a close look shows that a state cannot be completed."""
        self.effort.add_look()
        key = self._nogood_key(state)
        if key in self.nogoods:
            return True
        if self._may_be_served_together(state):
            return False
        self.nogoods.add(key)
        return True

    def _may_be_served_together(self, state):
        """Return False if the demands certainly cannot be served together.

        Demands that only certain providers can serve must fit on these providers. So the check
        takes each set of options, together with all demands that have no option outside it.
        """
        if self.terms.isolate and not packing.may_differ(
            [d.options for d in state.demands if d.is_granular for _ in d.positions]
        ):
            return False
        for options in map(frozenset, {demand.options for demand in state.demands}):
            counts_by_class = {}
            for demand in state.demands:
                if options.issuperset(demand.options):
                    # Contested needs are those of classes that several slots ask for.
                    for class_id, amount in self._contested(demand):
                        counts = counts_by_class.setdefault(class_id, Counter())
                        counts[amount] += len(demand.positions)
            for class_id, counts in counts_by_class.items():
                rooms = [self._room_left(state, option, class_id) for option in options]
                if not packing.may_fit(counts, rooms):
                    return False
        return True

    def _nogood_key(self, state):
        """Return what a state has in common with all states like it (nogoods.py).

        If the keys of two states are equal, either both can be completed or neither can: they ask
        for the same things, and their options offer the same things, whichever providers these are.
        """
        demands = tuple(
            (len(d.positions), d.needs, d.is_granular, d.same_subtrees) for d in state.demands
        )
        forms = self._forms(state)
        same_subtrees = _same_subtrees(state.demands)
        if not same_subtrees and not self.terms.one_provider_per_tree:
            # It makes no difference where in their trees the providers are.
            return self.nogoods.flat(demands, forms)
        for number in same_subtrees:
            for place in self._placed_in_subtree(state, number):
                # The other slots of the same_subtree have to be near this provider.
                forms[place] = (*forms.get(place, ()), number)
        return self.nogoods.by_tree(demands, forms, self._ancestors)

    def _forms(self, state):
        """Return {option: its *form*, which is what it offers}.

        A form has the indexes of the demands that the option could serve, how much of its remaining
        room they could use, and which of the missing traits it would add.
        """
        useful_amounts = self._useful_amounts(state.demands)
        demands_by_option = {}
        for index, demand in enumerate(state.demands):
            for option in demand.options:
                demands_by_option.setdefault(option, []).append(index)
        return {
            option: (
                tuple(indexes),
                tuple(
                    min(self._room_left(state, option, class_id), amount)
                    for class_id, amount in useful_amounts.items()
                ),
                tuple(number in self.problem.hits[option] for number in state.missing),
            )
            for option, indexes in demands_by_option.items()
        }

    def _useful_amounts(self, demands):
        """Return {class_id: the most that the demands could ever put on one provider}."""
        useful = {}
        # Class id -> the largest amount of an isolated slot. A provider serves at most one such
        # slot.
        largest = {}
        for demand in demands:
            for class_id, amount in self._contested(demand):
                if self.terms.isolate and demand.is_granular:
                    largest[class_id] = max(amount, largest.get(class_id, 0))
                else:
                    total = amount * len(demand.positions)
                    useful[class_id] = useful.get(class_id, 0) + total
        for class_id, amount in largest.items():
            useful[class_id] = useful.get(class_id, 0) + amount
        return useful

    def _contested(self, demand):
        """Return the needs that might lack room because of other slots."""
        return [need for need in demand.needs if need[0] in self.headrooms]

    def _room_left(self, state, place, class_id):
        """Return what the provider has left of a class that several slots ask for."""
        return self.headrooms[class_id][place] - state.amounts.get((place, class_id), 0)


def _sum(parts):
    """Return the sum of several lists of (class_id, amount) pairs, each class once."""
    amounts = Counter()
    for needs in parts:
        for class_id, amount in needs:
            amounts[class_id] += amount
    return tuple(amounts.items())


def _same_subtrees(demands):
    """Return the numbers of the same_subtrees that are named by demands, each once."""
    return list(dict.fromkeys(number for demand in demands for number in demand.same_subtrees))
