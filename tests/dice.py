"""Random forests and queries, small enough to try everything on them (see reference.py)."""

from placement.candidates import forests
from placement.candidates.query import CandidateQuery, Group
from tests.trees import sets_by_key

CLASSES = [1, 2, 3]
TRAITS = [11, 12, 13]
SHARING = 19
AGGREGATES = [21, 22, 23]

# The reference makes a product of all the options.
MOST_COMBINATIONS = 20_000


class Dice:
    """Random rows and queries: dense enough for every second query to have candidates."""

    def __init__(self, random):
        self.random = random

    def one_in(self, chances):
        return self.random.random() * chances < 1

    def some(self, members, most=2, least=0):
        return self.random.sample(members, self.random.randint(least, most))

    def rows(self, sizes):
        """Return the rows of trees of these sizes: providers, rooms, traits and aggregates."""
        providers, rooms, traits, aggregates = [], [], [], []
        for size in sizes:
            root_id = len(providers) + 1
            for provider_id in range(root_id, root_id + size):
                parent_id = None
                if provider_id > root_id:
                    parent_id = self.random.choice(
                        [root_id, self.random.randint(root_id, provider_id - 1)]
                    )
                providers.append((provider_id, f"u{provider_id}", parent_id, root_id))
                for class_id in self.some(CLASSES, most=3, least=2):
                    rooms.append((provider_id, class_id, *self.inventory()))
                traits += [(provider_id, trait_id) for trait_id in self.some(TRAITS)]
                if self.one_in(6):
                    traits.append((provider_id, SHARING))
                aggregates += [(provider_id, aggregate) for aggregate in self.some(AGGREGATES)]
        return providers, rooms, traits, aggregates

    def inventory(self):
        """Return capacity, used, min_unit, max_unit, step_size."""
        choice = self.random.choice
        return (
            choice([1, 1, 2, 2, 3, 4, 8]),
            choice([0, 0, 0, 1]),
            choice([1, 1, 1, 1, 2]),
            choice([9, 9, 9, 2]),
            choice([1, 1, 1, 1, 2]),
        )

    def query(self, rows, granular_groups):
        suffixes = [f"_{number}" for number in range(granular_groups)]
        root_ids = sorted({root_id for *_, root_id in rows[0]})
        groups = [self.group(suffix, root_ids) for suffix in suffixes]
        if not groups or self.one_in(2):
            groups.insert(self.random.randint(0, len(groups)), self.group("", root_ids))
        same_subtrees = ()
        if suffixes and self.one_in(2):
            same_subtrees = tuple(
                frozenset(self.some(suffixes, most=len(suffixes), least=1))
                for _ in range(self.random.randint(1, 2))
            )
        return CandidateQuery(
            tuple(groups),
            self.one_in(3),
            same_subtrees,
            frozenset(self.some(TRAITS)) if self.one_in(15) else frozenset(),
            frozenset(self.some(TRAITS)) if self.one_in(15) else frozenset(),
        )

    def group(self, suffix, root_ids):
        fields = {"resources": {}}
        if not suffix or not self.one_in(10):
            class_ids = self.some(CLASSES, least=1, most=1 if suffix else 3)
            fields["resources"] = {i: self.random.choice([1, 1, 1, 2]) for i in class_ids}
        if self.one_in(6) or not fields["resources"]:
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
            fields["in_tree"] = self.random.choice(root_ids)
        return Group(suffix, **fields)


def forest(rows, root_ids):
    """Return the Forest of such rows, with a batch of these roots."""
    providers, rooms, traits, aggregates = rows
    return forests.build(
        providers, rooms, sets_by_key(traits), sets_by_key(aggregates), SHARING, root_ids
    )


def combinations(rows, query):
    slots = sum(1 if group.suffix else len(group.resources) for group in query.groups)
    return len(rows[0]) ** slots


def identity(candidate):
    mappings = candidate.providers_by_suffix.items()
    return (
        frozenset(candidate.amounts.items()),
        frozenset((suffix, frozenset(provider_ids)) for suffix, provider_ids in mappings),
    )
