"""Random forests and queries, small enough to try everything on them (see reference.py)."""

from typing import NamedTuple

from placement.candidates import forests
from placement.candidates.query import ResolvedGroup, ResolvedQuery
from placement.db.forests import Member
from placement.db.room import Room

CLASSES = [1, 2, 3]
TRAITS = [11, 12, 13]
SHARING = 19
AGGREGATES = [21, 22, 23]

# The reference makes a product of all the options.
MOST_COMBINATIONS = 20_000


class Rows(NamedTuple):
    """What forests.build makes trees of: everything but the members is by provider_id."""

    members: list[Member]
    rooms: dict[int, dict[int, Room]]
    traits: dict[int, frozenset[int]]
    aggregates: dict[int, frozenset[int]]

    @property
    def root_ids(self):
        return sorted({member.root_id for member in self.members})


class Dice:
    """Random rows and queries: dense enough for every second query to have candidates."""

    def __init__(self, random):
        self.random = random

    def one_in(self, chances):
        return self.random.random() * chances < 1

    def some(self, members, most=2, least=0):
        return self.random.sample(members, self.random.randint(least, most))

    def rows(self, sizes):
        """Return the Rows of trees of these sizes."""
        rows = Rows([], {}, {}, {})
        for size in sizes:
            root_id = len(rows.members) + 1
            for provider_id in range(root_id, root_id + size):
                parent_id = None
                if provider_id > root_id:
                    parent_id = self.random.choice(
                        [root_id, self.random.randint(root_id, provider_id - 1)]
                    )
                rows.members.append(Member(provider_id, f"u{provider_id}", parent_id, root_id))
                rows.rooms[provider_id] = {
                    class_id: self.room() for class_id in self.some(CLASSES, most=3, least=2)
                }
                sharing = [SHARING] if self.one_in(6) else []
                rows.traits[provider_id] = frozenset(self.some(TRAITS) + sharing)
                rows.aggregates[provider_id] = frozenset(self.some(AGGREGATES))
        return rows

    def room(self):
        choice = self.random.choice
        return Room(
            capacity=choice([1, 1, 2, 2, 3, 4, 8]),
            used=choice([0, 0, 0, 1]),
            min_unit=choice([1, 1, 1, 1, 2]),
            max_unit=choice([9, 9, 9, 2]),
            step_size=choice([1, 1, 1, 1, 2]),
        )

    def query(self, rows, granular_groups):
        suffixes = [f"_{number}" for number in range(granular_groups)]
        groups = [self.group(suffix, rows.root_ids) for suffix in suffixes]
        if not groups or self.one_in(2):
            groups.insert(self.random.randint(0, len(groups)), self.group("", rows.root_ids))
        same_subtrees = ()
        if suffixes and self.one_in(2):
            same_subtrees = tuple(
                frozenset(self.some(suffixes, most=len(suffixes), least=1))
                for _ in range(self.random.randint(1, 2))
            )
        return ResolvedQuery(
            tuple(groups),
            self.one_in(3),
            same_subtrees,
            frozenset(self.some(TRAITS)) if self.one_in(15) else frozenset(),
            frozenset(self.some(TRAITS)) if self.one_in(15) else frozenset(),
        )

    def group(self, suffix, root_ids):
        fields = {"amounts": {}}
        if not suffix or not self.one_in(10):
            class_ids = self.some(CLASSES, least=1, most=1 if suffix else 3)
            fields["amounts"] = {i: self.random.choice([1, 1, 1, 2]) for i in class_ids}
        if self.one_in(6) or not fields["amounts"]:
            count = self.random.randint(0 if self.one_in(4) else 1, 2)
            fields["required"] = tuple(frozenset(self.some(TRAITS, least=1)) for _ in range(count))
        if self.one_in(12):
            fields["forbidden"] = frozenset(self.some(TRAITS))
        if self.one_in(12):
            # An empty set is what remains of aggregates that nobody knows.
            count = self.random.randint(1, 2)
            fields["member_of"] = tuple(frozenset(self.some(AGGREGATES)) for _ in range(count))
        if self.one_in(12):
            fields["not_member_of"] = frozenset(self.some(AGGREGATES))
        if self.one_in(10):
            fields["root_id"] = self.random.choice(root_ids)
        return ResolvedGroup(suffix, **fields)


def forest(rows, root_ids):
    """Return the Forest of such Rows, with a batch of these roots."""
    sharing_ids = [each for each, traits in rows.traits.items() if SHARING in traits]
    return forests.build(*rows, sharing_ids, root_ids)


def combinations(rows, query):
    slots = sum(1 if group.suffix else len(group.amounts) for group in query.groups)
    return len(rows.members) ** slots


def identity(candidate):
    mappings = candidate.providers_by_suffix.items()
    return (
        frozenset(candidate.amounts.items()),
        frozenset((suffix, frozenset(provider_ids)) for suffix, provider_ids in mappings),
    )
