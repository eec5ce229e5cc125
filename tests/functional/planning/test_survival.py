"""Which hosts cannot be spared, compared with plans for their evacuation.

Source: doc/how-to/planning.rst.
"""

import json
import uuid

import fixtures
import hypothesis
import testtools
from hypothesis import strategies as st

from placement import exception
from placement.candidates.effort import Effort
from placement.candidates.plans import evacuation, survival
from placement.candidates.plans.evacuation_query import EvacuationQuery
from placement.cmd import manage
from tests import databases, dice, properties
from tests.commands import Commands
from tests.functional.planning.worlds import ClaimedWorlds
from tests.functional.random_worlds import aggregate_uuid, provider_uuid
from tests.functional.worlds import claim, provider, set_aggregates, set_traits, take


def examined(database, by="host", most_effort=None, tell=None):
    effort = Effort(most_effort)
    with database.reports() as conn:
        state = survival.read(conn, by, effort)
    return survival.examine(state, effort, tell)


@databases.on_each_database
class RandomLosses(ClaimedWorlds):
    @hypothesis.settings(properties.SETTINGS, max_examples=20)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_a_host_or_aggregate_can_be_lost_if_it_can_be_emptied(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(2, 4))])
        self.fill(thrower, world, consumers=random.randint(2, 8))
        roots = dice.roots_of(world)
        found = examined(self.database)
        self.assertEqual(len(roots), found.all)
        self.assertEqual(
            {
                uuid: plan.without_place
                for uuid in map(provider_uuid, roots)
                if not (plan := self.plan(hosts={uuid})).is_possible
            },
            {lost.uuid: lost.left for lost in found.lost},
        )
        found = examined(self.database, "aggregate")
        uuids = map(aggregate_uuid, dice.AGGREGATES)
        plans = {uuid: self.plan(aggregates={uuid}) for uuid in uuids}
        self.assertEqual(sum(bool(plan.hosts) for plan in plans.values()), found.all)
        self.assertEqual(
            {uuid: plan.without_place for uuid, plan in plans.items() if not plan.is_possible},
            {lost.uuid: lost.left for lost in found.lost},
        )

    def plan(self, hosts=(), aggregates=()):
        query = EvacuationQuery(frozenset(hosts), frozenset(aggregates))
        with self.database.reports() as conn:
            return evacuation.plan(conn, query, Effort())


@databases.on_each_database
class Losses:
    def setUp(self):
        super().setUp()
        self.rack = str(uuid.uuid4())
        with self.database.writer() as conn:
            self.full = provider(conn, "full", {"VCPU": 8})
            self.half = provider(conn, "half", {"VCPU": 8})
            self.disk = provider(conn, "disk", {"DISK_GB": 9})
            set_traits(conn, self.disk, ["MISC_SHARES_VIA_AGGREGATE"])
            for each in (self.full, self.half, self.disk):
                set_aggregates(conn, each, [self.rack])
        take(
            self.database,
            *(claim({self.full: {"VCPU": 2}, self.disk: {"DISK_GB": 1}}) for _ in range(4)),
            *(claim({self.half: {"VCPU": 2}}) for _ in range(2)),
        )

    def test_hosts_whose_consumers_find_no_place_cannot_be_spared(self):
        found = examined(self.database)
        self.assertEqual(3, found.all)
        self.assertEqual(
            {("full", 4, 2), ("half", 2, 2), ("disk", 4, 4)},
            {(lost.name, lost.consumer_count, lost.left) for lost in found.lost},
        )

    def test_an_aggregate_is_lost_with_its_hosts_but_not_its_sharing_providers(self):
        found = examined(self.database, "aggregate")
        lost = survival.UnaffordableLoss(self.rack, None, 6, 6)
        self.assertEqual((1, [lost]), (found.all, found.lost))

    def test_one_more_host_makes_up_for_the_loss_of_any_host(self):
        with self.database.writer() as conn:
            spare = provider(conn, "spare", {"VCPU": 8, "DISK_GB": 9})
            set_aggregates(conn, spare, [self.rack])
        self.assertEqual(["disk"], [lost.name for lost in examined(self.database).lost])

    def test_progress_is_reported(self):
        reported = []
        examined(self.database, tell=reported.append)
        self.assertEqual([0, 1, 2], reported)

    def test_the_effort_is_bounded(self):
        self.assertRaises(exception.PlanTooLong, examined, self.database, most_effort=3)

    def test_the_number_of_statements_does_not_depend_on_the_number_of_hosts(self):
        few = self.statements()
        with self.database.writer() as conn:
            for number in range(3):
                provider(conn, f"more-{number}", {"VCPU": 8})
        self.assertEqual(few, self.statements())

    def statements(self):
        statements = databases.Statements(self.database)
        with statements:
            examined(self.database)
        return len(statements.seen)


class Survive(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        self.database = fresh.database
        with self.database.writer() as conn:
            self.old = provider(conn, "old", {"VCPU": 8})
            provider(conn, "new", {"VCPU": 4})
        take(self.database, claim({self.old: {"VCPU": 1}}), claim({self.old: {"VCPU": 4}}))

    def run_survive(self, *arguments):
        return self.run_command(manage, "survive", *arguments)

    def test_survive_prints_what_cannot_be_spared(self):
        exit_status, output, errors = self.run_survive()
        self.assertEqual((1, ""), (exit_status, errors))
        self.assertEqual(
            [
                "1 of 2 hosts cannot be spared.",
                "",
                "  Host  Consumers  Without a place",
                "  old           2                1",
            ],
            output.splitlines()[:4],
        )
        self.assertIn("  and 1 more (--top)", self.run_survive("--top", "0")[1])

    def test_survive_says_why_it_stopped_and_what_helps(self):
        """If it fails, an operator gets a traceback, or is told to ask for fewer hosts."""
        # The option does not allow so little.
        self.useFixture(
            fixtures.MonkeyPatch("placement.cmd.searching.effort_for", lambda _: Effort(0))
        )
        exit_status, output, errors = self.run_survive()
        self.assertEqual((2, ""), (exit_status, output))
        self.assertIn("placement-manage: The examination was stopped: ", errors)
        self.assertIn("raise the limit", errors)
        self.assertNotIn("fewer", errors)

    def test_survive_refuses_a_limit_that_would_have_no_effect(self):
        for option in (["--json"], ["-f", "csv"]):
            exit_status, output, errors = self.run_survive("--top", "0", *option)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertIn(f"--top cannot be used with {option[0]}", errors)

    def test_survive_prints_the_document_of_the_service(self):
        exit_status, output, _ = self.run_survive("--json")
        document = json.loads(output)
        self.assertEqual((1, "host", 2), (exit_status, document["by"], document["all"]))
        self.assertEqual(
            [{"uuid": self.old.uuid, "name": "old", "consumers": 2, "left": 1}], document["lost"]
        )

    def test_survive_exits_with_0_if_everything_can_be_lost(self):
        with self.database.writer() as conn:
            provider(conn, "spare", {"VCPU": 8})
        exit_status, output, _ = self.run_survive()
        self.assertEqual(0, exit_status)
        self.assertIn("Each of 3 hosts could be lost", output)
        exit_status, output, _ = self.run_survive("--by", "aggregate")
        self.assertEqual((0, "There are no aggregates."), (exit_status, output.splitlines()[0]))

    def test_survive_prints_rows(self):
        _, output, _ = self.run_survive("-f", "value", "-c", "name", "-c", "left")
        self.assertEqual("old 1\n", output)
