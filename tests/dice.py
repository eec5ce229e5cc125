"""Random forests and queries that are small enough to try everything (see reference.py)."""

from placement.candidates import forests
from placement.candidates.query import ResolvedGroup, ResolvedQuery
from placement.db.provider_room import Room
from tests.trees import provider_of

CLASSES = [1, 2, 3]
TRAITS = [11, 12, 13]
SHARING = 19
AGGREGATES = [21, 22, 23]

# The reference tries the product of all options.
MOST_COMBINATIONS = 20_000


class Dice:
    """Random providers and queries: dense enough for every second query to have candidates."""

    def __init__(self, random):
        self.random = random

    def one_in(self, chances):
        return self.random.random() * chances < 1

    def pick(self, members, most=2, least=0):
        return self.random.sample(members, self.random.randint(least, most))

    def providers(self, sizes):
        """Return the Providers of trees of these sizes."""
        providers = []
        for size in sizes:
            root_id = len(providers) + 1
            for provider_id in range(root_id, root_id + size):
                parent_id = None
                if provider_id > root_id:
                    parent_id = self.random.choice(
                        [root_id, self.random.randint(root_id, provider_id - 1)]
                    )
                sharing = [SHARING] if self.one_in(6) else []
                provider = provider_of(
                    id=provider_id,
                    uuid=f"u{provider_id}",
                    parent_id=parent_id,
                    root_id=root_id,
                    traits=frozenset(self.pick(TRAITS) + sharing),
                    aggregates=frozenset(self.pick(AGGREGATES)),
                    rooms={class_id: self.room() for class_id in self.pick(CLASSES, 3, 2)},
                )
                providers.append(provider)
        return providers

    def room(self):
        choice = self.random.choice
        return Room(
            capacity=choice([1, 1, 2, 2, 3, 4, 8]),
            used=choice([0, 0, 0, 1]),
            min_unit=choice([1, 1, 1, 1, 2]),
            max_unit=choice([9, 9, 9, 2]),
            step_size=choice([1, 1, 1, 1, 2]),
        )

    def query(self, providers, granular_groups):
        root_ids = roots_of(providers)
        suffixes = [f"_{number}" for number in range(granular_groups)]
        groups = [self.group(suffix, root_ids) for suffix in suffixes]
        if not groups or self.one_in(2):
            groups.insert(self.random.randint(0, len(groups)), self.group("", root_ids))
        same_subtrees = ()
        if suffixes and self.one_in(2):
            same_subtrees = tuple(
                frozenset(self.pick(suffixes, most=len(suffixes), least=1))
                for _ in range(self.random.randint(1, 2))
            )
        return ResolvedQuery(
            tuple(groups),
            self.one_in(3),
            same_subtrees,
            frozenset(self.pick(TRAITS)) if self.one_in(15) else frozenset(),
            frozenset(self.pick(TRAITS)) if self.one_in(15) else frozenset(),
        )

    def group(self, suffix, root_ids):
        fields = {"amounts": {}}
        if not suffix or not self.one_in(10):
            class_ids = self.pick(CLASSES, least=1, most=1 if suffix else 3)
            fields["amounts"] = {i: self.random.choice([1, 1, 1, 2]) for i in class_ids}
        if self.one_in(6) or not fields["amounts"]:
            count = self.random.randint(0 if self.one_in(4) else 1, 2)
            fields["required"] = tuple(frozenset(self.pick(TRAITS, least=1)) for _ in range(count))
        if self.one_in(12):
            fields["forbidden"] = frozenset(self.pick(TRAITS))
        if self.one_in(12):
            # An unknown aggregate leaves an empty set behind.
            count = self.random.randint(1, 2)
            fields["member_of"] = tuple(frozenset(self.pick(AGGREGATES)) for _ in range(count))
        if self.one_in(12):
            fields["not_member_of"] = frozenset(self.pick(AGGREGATES))
        if self.one_in(10):
            fields["root_id"] = self.random.choice(root_ids)
        return ResolvedGroup(suffix, **fields)


def roots_of(providers):
    return sorted({provider.root_id for provider in providers})


def forest(providers, root_ids):
    """Return the Forest of these Providers, with a batch of these roots."""
    sharing_ids = [provider.id for provider in providers if SHARING in provider.traits]
    return forests.build(providers, sharing_ids, root_ids)


def combinations(providers, query):
    slots = sum(1 if group.suffix else len(group.amounts) for group in query.groups)
    return len(providers) ** slots


def identity(candidate):
    mappings = candidate.providers_by_suffix.items()
    return (
        frozenset(candidate.amounts.items()),
        frozenset((suffix, frozenset(provider_ids)) for suffix, provider_ids in mappings),
    )
