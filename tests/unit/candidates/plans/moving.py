"""Whether consumers can leave trees, found by trying everything. Plans are compared with this.

It shares no code with placement.candidates but the values, and is only for small worlds.
"""

import itertools

from placement.db.provider_room import HeldOnProvider, Room
from tests.dice import SHARING
from tests.trees import provider_of

# After this many states, the search gives up.
MOST_STATES = 200_000


class UnknownError(Exception):
    """There are too many states."""


def can_all_move(forest, needs, left_ids):
    """Return whether there are places for all Needs at the same time. Raises: UnknownError."""
    return _Search(forest, left_ids).has_places(sorted(needs, key=_weight))


def _weight(need):
    return -sum(amount for part in need.parts for _, amount in part.amounts), repr(need)


class _Search:
    def __init__(self, forest, left_ids):
        self._forest = forest
        self._roots = [each for each in forest.root_ids if each not in left_ids]
        self._free = {
            (provider.id, class_id): room.capacity - room.used
            for provider in forest.providers.values()
            for class_id, room in provider.rooms.items()
        }
        self._failed = set()
        self._states = 0

    def has_places(self, needs):
        if not needs:
            return True
        self._states += 1
        if self._states > MOST_STATES:
            raise UnknownError
        state = len(needs), tuple(self._free.values())
        if state in self._failed:
            return False
        for way in self._ways(needs[0]):
            self._take(way, 1)
            is_placed = self.has_places(needs[1:])
            self._take(way, -1)
            if is_placed:
                return True
        self._failed.add(state)
        return False

    def _take(self, way, sign):
        for key, amount in way.items():
            self._free[key] -= sign * amount

    def _ways(self, need):
        """Return [{(provider_id, class_id): amount}], each once."""
        found = {}
        for root_id in self._roots:
            if all(self._reaches(root_id, each) for each in need.reached):
                members = self._forest.trees[root_id]
                for choice in itertools.product(members, repeat=len(need.parts)):
                    way = self._way(need, choice)
                    if all(self._free.get(key, 0) >= amount for key, amount in way.items()):
                        found[frozenset(way.items())] = way
        return found.values()

    def _reaches(self, root_id, provider_id):
        members = self._forest.trees[root_id]
        shared = self._forest.providers[provider_id]
        return shared in members or any(
            not member.aggregates.isdisjoint(shared.aggregates) for member in members
        )

    @staticmethod
    def _way(need, choice):
        way = {}
        for part, provider in zip(need.parts, choice, strict=True):
            for class_id, amount in part.amounts:
                way[provider.id, class_id] = way.get((provider.id, class_id), 0) + amount
        return way


class RandomCloud:
    """Hosts with consumers: flat ones, or ones with nodes below them that have two classes.

    The hosts may share a disk.

    providers  Providers, with what the consumers use
    held       what each consumer holds, as in a Holder
    """

    def __init__(self, random, is_nested):
        self._random = random
        self._is_nested = is_nested
        self._scale = random.choice([1, 3, 5])
        self.providers = []
        self.held = []
        roots = [self._host() for _ in range(random.randint(3, 6))]
        self._disk = self._add(None, {4: 100}, {SHARING}, {21}) if random.random() < 0.3 else None
        for root in roots:
            for _ in range(random.randint(2, 9)):
                self._claim(root)

    def _host(self):
        draw = self._random.randint
        aggregates = {self._random.choice([21, 22])}
        if not self._is_nested:
            totals = {class_id: draw(4, 10) * self._scale for class_id in (1, 2)}
            return self._add(None, totals, (), aggregates)
        root = self._add(None, {1: draw(4, 12) * self._scale}, (), aggregates)
        for _ in range(draw(1, 2)):
            self._add(root, {2: draw(2, 6) * self._scale, 3: draw(1, 3)}, (), ())
        return root

    def _add(self, parent, totals, traits, aggregates):
        provider_id = len(self.providers) + 1
        provider = provider_of(
            id=provider_id,
            parent_id=parent and parent.id,
            root_id=parent.id if parent else provider_id,
            traits=frozenset(traits),
            aggregates=frozenset(aggregates),
            rooms={each: Room(total, 0, 1, 999, 1) for each, total in totals.items()},
        )
        self.providers.append(provider)
        return provider

    def _claim(self, root):
        wanted = [(root, {1: self._amount(3)} if self._is_nested else self._amounts((1, 2), 4))]
        for node in self.providers:
            if node.parent_id == root.id and self._random.random() < 0.5:
                classes = self._random.choice([(2,), (3,), (2, 3)])
                wanted.append((node, self._amounts(classes, 2)))
        if self._disk and 21 in root.aggregates and self._random.random() < 0.5:
            wanted.append((self._disk, {4: self._random.randint(1, 4)}))
        if all(
            provider.rooms[class_id].fits(amount)
            for provider, amounts in wanted
            for class_id, amount in amounts.items()
        ):
            self._take(wanted)

    def _amounts(self, class_ids, most):
        return {each: 1 if each == 3 else self._amount(most) for each in class_ids}

    def _amount(self, most):
        return self._random.randint(1, most * self._scale)

    def _take(self, wanted):
        for provider, amounts in wanted:
            for class_id, amount in amounts.items():
                room = provider.rooms[class_id]
                provider.rooms[class_id] = room._replace(used=room.used + amount)
        self.held.append(
            tuple(
                HeldOnProvider(provider.id, tuple(amounts.items())) for provider, amounts in wanted
            )
        )
