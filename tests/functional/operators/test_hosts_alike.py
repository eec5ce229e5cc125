"""Explanations examine only one of several equal hosts: the result must be the same.

Source: doc/how-to/no-valid-host.rst.
"""

from unittest import mock

import hypothesis
from hypothesis import strategies as st

from placement.candidates.effort import Effort
from placement.candidates.query import ResolvedGroup, ResolvedQuery
from placement.candidates.why import equal_hosts, explain
from placement.db.search import every_tree
from placement.documents import explanation
from tests import databases, dice, properties
from tests.functional.random_worlds import RandomWorlds, named
from tests.functional.worlds import provider


def with_copies(world, random):
    """Return a random world, with more trees that are like its first ones; some have less room."""
    copied = [*world]
    for root_id in dice.roots_of(world):
        for _ in range(random.randint(0, 3)):
            distance = max(each.id for each in copied) + 1 - root_id
            copied += [
                copy_of(each, distance, random) for each in world if each.root_id == root_id
            ]
    return copied


def copy_of(each, distance, random):
    taken = random.choice([0, 0, 0, 1])
    return each._replace(
        id=each.id + distance,
        uuid=f"u{each.id + distance}",
        parent_id=each.parent_id and each.parent_id + distance,
        root_id=each.root_id + distance,
        rooms={
            class_id: room._replace(used=room.used + taken)
            for class_id, room in each.rooms.items()
        },
    )


def each_alone(trees, apart):
    return [[root_id] for root_id in trees.members]


def unchanged(query, corrected):
    return lambda class_id, room: room


@databases.on_each_database
class HostsAlike(RandomWorlds):
    """If a test fails, a host is counted as being like another, but is not."""

    def explained(self, query, one_per_tree=False):
        with self.database.reports() as conn:
            found = explain.explain(conn, query, one_per_tree, 3, None, Effort())
        return explanation.document("", found)

    @hypothesis.settings(properties.SETTINGS, max_examples=50)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_an_explanation_is_the_same_when_each_host_is_examined(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(1, 4))])
        query = named(thrower.query(world, granular_groups=random.randint(0, 2)))
        one_per_tree = thrower.one_in(4)
        with self.database.writer() as conn:
            self.store(conn, with_copies(world, random))
        found = self.explained(query, one_per_tree)
        with (
            mock.patch.object(every_tree.BatchOfTrees, "alike", each_alone),
            mock.patch.object(equal_hosts, "simplifier", unchanged),
        ):
            self.assertEqual(self.explained(query, one_per_tree), found)
        with mock.patch.object(explain, "BATCH", random.randint(1, 4)):
            self.assertEqual(self.explained(query, one_per_tree), found)

    def test_hosts_with_enough_room_are_alike_whatever_else_is_free(self):
        with self.database.writer() as conn:
            for number in range(20):
                provider(conn, f"host-{number}", {"VCPU": 4 + number, "DISK_GB": number + 1})
            examined = self.examined(conn, amount=4)
            self.assertEqual([20], examined)
            self.assertEqual([1] * 20, self.examined(conn, amount=99))

    def examined(self, conn, amount):
        """Return how many hosts are like each one that is examined for VCPU."""
        wanted = every_tree.Wanted(frozenset([0]), frozenset(), frozenset())
        query = ResolvedQuery((ResolvedGroup("", {0: amount}),))
        simplified = equal_hosts.simplifier(query, {})
        batches = every_tree.batches(conn, wanted, 100, simplified=simplified)
        return [len(alike) for trees in batches for alike in trees.alike(frozenset())]
