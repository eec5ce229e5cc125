"""How often a request fits, compared with claiming it until it is refused.

Source: doc/how-to/fit.rst.
"""

import collections
import math
import uuid
from unittest import mock

import hypothesis
from hypothesis import strategies as st

from placement import exception
from placement.candidates.effort import Effort
from placement.candidates.fits import fit
from placement.candidates.fits.what_if import WhatIf
from placement.candidates.query import CandidateQuery, Group
from placement.db.search import every_tree
from placement.objects import resource_provider, trait
from tests import databases, dice, properties
from tests.functional.random_worlds import CLASS_NAMES, RandomWorlds, named, provider_uuid
from tests.functional.worlds import claim, provider, set_traits, take

NOTHING = WhatIf()


def counted(
    database, query, change=NOTHING, one_per_tree=False, bound=None, top=1000, most_effort=None
):
    with database.reports() as conn:
        return fit.count(conn, query, change, one_per_tree, bound, top, Effort(most_effort))


def query_for(*groups, **fields):
    return CandidateQuery(groups, **fields)


@databases.on_each_database
class RandomFits(RandomWorlds):
    """If a test fails, more is promised than can be claimed, or less."""

    @hypothesis.settings(properties.SETTINGS, max_examples=60)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_fit_counts_how_often_the_request_can_be_claimed(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(1, 4))])
        query = thrower.query(world, granular_groups=random.randint(0, 2))
        # The API refuses queries without resources, which fit forever.
        hypothesis.assume(any(group.amounts for group in query.groups))
        one_per_tree = thrower.one_in(4)
        change, changed = self.changed(thrower, world)
        with self.database.writer() as conn:
            self.store(conn, world)
        found = counted(self.database, named(query), change, one_per_tree)
        with mock.patch.object(every_tree, "AT_ONCE", random.randint(1, 3)):
            self.assertEqual(found, counted(self.database, named(query), change, one_per_tree))
        with self.database.writer() as conn:
            self.store(conn, changed)
        self.assertEqual(self.claims(named(query), 1000, one_per_tree), found.times)
        self.assertEqual(found.times, sum(host.times for host in found.hosts))
        times = collections.Counter(host.times for host in found.hosts)
        self.assertEqual(found.hosts_by_fit, times)
        # For each host, the answer says what keeps the request from fitting once more.
        self.assertEqual(len(dice.roots_of(changed)), sum(found.stopped_by.values()))
        bound = random.randint(1, 5)
        with self.database.writer() as conn:
            self.store(conn, world)
        some = counted(self.database, named(query), change, one_per_tree, bound)
        self.assertEqual(min(bound, found.times), some.times)

    def changed(self, thrower, world):
        """Return a WhatIf, and a world with these changes actually made."""
        random = thrower.random
        excluded, ratios, added = frozenset(), {}, {}
        changed = world
        if thrower.one_in(3):
            class_id, ratio = random.choice(dice.CLASSES), random.choice([0.5, 1.5, 3.0])
            ratios = {CLASS_NAMES[class_id]: ratio}
            changed = [self.at_ratio(each, class_id, ratio) for each in changed]
        if thrower.one_in(3):
            model, number = random.choice(dice.roots_of(world)), random.randint(1, 2)
            added = {provider_uuid(model): number}
            for _ in range(number):
                distance = max(each.id for each in changed) + 1 - model
                changed = changed + [
                    self.copied(each, distance) for each in changed if each.root_id == model
                ]
        if thrower.one_in(3):
            root_id = random.choice(dice.roots_of(world))
            excluded = frozenset([provider_uuid(root_id)])
            changed = [each for each in changed if each.root_id != root_id]
        return WhatIf(excluded, ratios, added), changed

    def at_ratio(self, each, class_id, ratio):
        if class_id not in each.rooms:
            return each
        room = each.rooms[class_id]
        room = room._replace(capacity=math.trunc(room.capacity * ratio))
        return each._replace(rooms=each.rooms | {class_id: room})

    def copied(self, each, distance):
        return each._replace(
            id=each.id + distance,
            uuid=f"u{each.id + distance}",
            parent_id=each.parent_id and each.parent_id + distance,
            root_id=each.root_id + distance,
            rooms={class_id: room._replace(used=0) for class_id, room in each.rooms.items()},
        )


@databases.on_each_database
class Fits:
    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.small = provider(conn, "small", {"VCPU": 8, "MEMORY_MB": 4096})
            self.large = provider(conn, "large", {"VCPU": 16, "MEMORY_MB": 4096})
            self.bare = provider(conn, "bare", {"DISK_GB": 100})
        take(self.database, claim({self.small: {"VCPU": 1}}))
        self.query = query_for(Group("", {"VCPU": 2, "MEMORY_MB": 1024}))

    def counted(self, query=None, change=NOTHING, **options):
        return counted(self.database, query or self.query, change, **options)

    def test_each_host_is_stopped_by_what_it_lacks_first(self):
        found = self.counted()
        self.assertEqual(
            fit.Fit(
                7,
                {3: 1, 4: 1},
                [
                    fit.HostFit(self.large.uuid, "large", 4, "MEMORY_MB"),
                    fit.HostFit(self.small.uuid, "small", 3, "VCPU"),
                ],
                {"VCPU": 2, "MEMORY_MB": 1},
                {"VCPU": 1 + 8, "MEMORY_MB": 1024},
                [],
            ),
            found,
        )

    def test_counting_claims_nothing(self):
        self.assertEqual(self.counted(), self.counted())

    def test_the_count_ends_at_its_bound(self):
        found = self.counted(bound=4)
        self.assertEqual(4, found.times)
        self.assertEqual([3, 1], [host.times for host in found.hosts])
        self.assertIsNone(found.hosts[-1].stopped_by)

    def test_the_hosts_on_which_most_fit_are_listed(self):
        more = WhatIf(added={self.small.uuid: 2})
        names = {
            0: [],
            1: ["large"],
            2: ["large", "small +1"],
            3: ["large", "small +1", "small +2"],
            9: ["large", "small +1", "small +2", "small"],
        }
        for top, expected in names.items():
            found = self.counted(change=more, top=top)
            self.assertEqual(expected, [host.name for host in found.hosts])
            self.assertEqual((15, {3: 1, 4: 3}), (found.times, found.hosts_by_fit))

    def test_only_the_hosts_that_are_filled_are_read(self):
        with mock.patch.object(every_tree, "AT_ONCE", 1):
            statements = databases.Statements(self.database)
            with statements:
                self.counted(bound=1)
                one = len(statements.seen)
                self.counted(bound=4)
                two = len(statements.seen) - one
        self.assertEqual(one + 2, two)

    def test_an_excluded_host_does_not_count(self):
        found = self.counted(change=WhatIf(excluded=frozenset([self.large.uuid])))
        self.assertEqual((3, {"VCPU": 2}), (found.times, found.stopped_by))

    def test_nothing_fits_if_a_group_names_an_excluded_tree(self):
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_GOLD")
            for host in (self.small, self.large):
                found = resource_provider.get(conn, host.uuid)
                set_traits(conn, found, ["CUSTOM_GOLD"])
        gold = (frozenset(["CUSTOM_GOLD"]),)
        asked = [
            Group("", {"VCPU": 2}),
            Group("_NAMED", {}, required=gold, in_tree=self.large.uuid),
        ]
        self.assertEqual(11, self.counted(query_for(*asked)).times)
        drained = WhatIf(excluded=frozenset([self.large.uuid]))
        found = self.counted(query_for(*asked), change=drained)
        self.assertEqual((0, {"in_tree": 2}), (found.times, found.stopped_by))

    def test_hosts_can_be_given_by_name(self):
        found = self.counted(change=WhatIf(excluded=frozenset(["large"])))
        self.assertEqual((3, {"VCPU": 2}), (found.times, found.stopped_by))
        found = self.counted(change=WhatIf(added={self.small.uuid.upper(): 1, "small": 1}))
        self.assertEqual(["small +1", "small +2"], [host.name for host in found.hosts[1:3]])

    def test_a_name_may_have_a_colon_or_be_the_uuid_of_another(self):
        with self.database.writer() as conn:
            provider(conn, "rack:7", {"VCPU": 1})
            provider(conn, self.large.uuid, {"VCPU": 1})
            provider(conn, "below", {"VCPU": 1}, parent=self.large)
        self.counted(change=WhatIf(excluded=frozenset(["rack:7"])))
        found = self.counted(change=WhatIf(excluded=frozenset([self.large.uuid])))
        self.assertNotIn("large", [host.name for host in found.hosts])
        below = WhatIf(excluded=frozenset(["below"]))
        self.assertRaises(exception.NoSuchHost, self.counted, change=below)

    def test_the_count_follows_a_hypothetical_allocation_ratio(self):
        found = self.counted(change=WhatIf(ratios={"MEMORY_MB": 2.0, "VCPU": 1.0}))
        self.assertEqual([8, 3], [host.times for host in found.hosts])

    def test_the_count_follows_hypothetical_hosts(self):
        found = self.counted(change=WhatIf(added={self.small.uuid: 2}))
        self.assertEqual(
            [
                (self.large.uuid, "large", 4),
                (None, "small +1", 4),
                (None, "small +2", 4),
                (self.small.uuid, "small", 3),
            ],
            [host[:3] for host in found.hosts],
        )

    def test_a_trait_that_a_host_must_have_or_must_not_have_stops_it(self):
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_GOLD")
            set_traits(conn, resource_provider.get(conn, self.small.uuid), ["CUSTOM_GOLD"])
        gold = frozenset(["CUSTOM_GOLD"])
        group = Group("", {"VCPU": 2}, required=(gold,))
        self.assertEqual({"VCPU": 1, "required": 2}, self.counted(query_for(group)).stopped_by)
        alone = Group("1", {"VCPU": 2}, required=(gold,))
        self.assertEqual({"VCPU": 1, "required": 2}, self.counted(query_for(alone)).stopped_by)
        group = Group("", {"VCPU": 2}, forbidden=gold)
        self.assertEqual({"VCPU": 2, "forbidden": 1}, self.counted(query_for(group)).stopped_by)
        for name in ("root_required", "root_forbidden"):
            query = query_for(Group("", {"VCPU": 2}), **{name: gold})
            self.assertEqual({"VCPU": 2, name: 1}, self.counted(query).stopped_by)
        group = Group("", {"VCPU": 2}, in_tree=str(uuid.uuid4()))
        self.assertEqual({"in_tree": 3}, self.counted(query_for(group)).stopped_by)
        group = Group("", {"VCPU": 2}, member_of=(frozenset([str(uuid.uuid4())]),))
        self.assertEqual({"member_of": 3}, self.counted(query_for(group)).stopped_by)

    def test_groups_that_do_not_fit_together_stop_a_host(self):
        groups = [Group(suffix, {"VCPU": 2}) for suffix in ("_A", "_B")]
        found = self.counted(query_for(*groups, isolate=True))
        self.assertEqual({"together": 2, "VCPU": 1}, found.stopped_by)

    def test_unknown_names_in_a_query_or_what_if_are_refused(self):
        unknown = frozenset(["CUSTOM_GLOD"])
        for error, query, change in (
            (exception.UnknownTraits, query_for(Group("", {"VCPU": 1}, (unknown,))), NOTHING),
            (exception.UnknownResourceClass, query_for(Group("", {"CUSTOM_X": 1})), NOTHING),
            (exception.UnknownResourceClass, self.query, WhatIf(ratios={"CUSTOM_X": 1.0})),
            (exception.NoSuchHost, self.query, WhatIf(added={str(uuid.uuid4()): 1})),
            (exception.NoSuchHost, self.query, WhatIf(frozenset([str(uuid.uuid4())]))),
        ):
            self.assertRaises(error, self.counted, query, change)

    def test_the_effort_of_a_count_is_bounded(self):
        with self.database.writer() as conn:
            host = provider(conn, "host")
            for number in range(4):
                provider(conn, f"numa{number}", {"PGPU": 100}, parent=host)
        groups = [Group(f"_{number}", {"PGPU": 1}) for number in range(4)]
        query = query_for(*groups)
        self.assertEqual(100, self.counted(query).times)
        self.assertRaises(exception.FitTooLong, self.counted, query, most_effort=3)
