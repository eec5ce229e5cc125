"""Who would have to go, compared with trying everything.

Source: doc/how-to/planning.rst.
"""

import collections
import contextlib
import itertools
import json
import uuid
from unittest import mock

import hypothesis
import testtools
from hypothesis import strategies as st

from placement import exception
from placement.candidates.effort import Effort
from placement.candidates.plans import release
from placement.candidates.query import CandidateQuery, Group
from placement.cmd import manage
from placement.documents import plans
from tests import databases, dice, properties, reference
from tests.commands import Commands
from tests.functional.planning.worlds import ClaimedWorlds
from tests.functional.random_worlds import named, provider_uuid
from tests.functional.worlds import claim, provider, take


def found(database, query, of=None, top=1000, one_per_tree=False, most_effort=None):
    with database.reports() as conn:
        return release.find(conn, query, one_per_tree, of, top, Effort(most_effort))


@databases.on_each_database
class RandomReleases(ClaimedWorlds):
    @hypothesis.settings(properties.SETTINGS, max_examples=30)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_fewest_consumers_are_found_on_each_host(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(1, 3))])
        self.fill(thrower, world, random.randint(1, 6), ("INSTANCE", "OTHER"), ("one", "two"))
        query = thrower.query(world, granular_groups=random.randint(0, 2))
        hypothesis.assume(any(group.amounts for group in query.groups))
        hypothesis.assume(dice.combinations(world, query) <= 2000)
        of = random.choice([None, *self.names_of_owners()])
        one_per_tree = thrower.one_in(4)
        answer = found(self.database, named(query), of, one_per_tree=one_per_tree)
        eligible = {
            wanted.consumer_uuid: amounts
            for wanted, amounts in self.claims
            if of in (None, wanted.consumer_type, wanted.project_id)
        }
        used = collections.Counter()
        for _, amounts in self.claims:
            used.update(amounts)
        expected, fits = {}, 0
        for root_id in dice.roots_of(world):
            number = self.fewest(world, used, query, one_per_tree, root_id, eligible)
            fits += number == 0
            if number:
                expected[provider_uuid(root_id)] = number
        hypothesis.event(f"hosts: {len(expected)}")
        self.assertTrue(answer.is_complete)
        self.assertEqual(fits, answer.fitting_count)
        self.assertEqual(
            expected, {each.host.uuid: len(each.consumers) for each in answer.hosts}
        )
        for each in answer.hosts:
            gone = [eligible[consumer.uuid] for consumer in each.consumers]
            self.assertTrue(
                self.fits(world, used, query, one_per_tree, int(each.host.uuid[-12:], 16), gone)
            )
        self.assertEqual(sorted(expected.values()), [len(each.consumers) for each in answer.hosts])

    def names_of_owners(self):
        return {wanted.project_id for wanted, _ in self.claims} | {
            wanted.consumer_type for wanted, _ in self.claims
        }

    def fewest(self, world, used, query, one_per_tree, root_id, eligible):
        """Return how many of the eligible consumers have to go; None if that never helps."""
        for number in range(len(eligible) + 1):
            for gone in itertools.combinations(eligible.values(), number):
                if self.fits(world, used, query, one_per_tree, root_id, gone):
                    return number
        return None

    def fits(self, world, used, query, one_per_tree, root_id, gone):
        left = used.copy()
        for amounts in gone:
            left.subtract(amounts)
        changed = [
            each._replace(
                rooms={
                    class_id: room._replace(used=room.used + left[each.id, class_id])
                    for class_id, room in each.rooms.items()
                }
            )
            for each in world
        ]
        forest = dice.forest(changed, [root_id])
        return bool(reference.candidates(forest, query, one_per_tree, anchor_id=root_id))


def of_amounts(**amounts):
    return CandidateQuery((Group("", amounts),))


@databases.on_each_database
class Releases:
    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.small = provider(conn, "small", {"VCPU": 4})
            self.large = provider(conn, "large", {"VCPU": 8})
        self.ours = claim({self.large: {"VCPU": 5}}, project_id="ours")
        take(
            self.database,
            self.ours,
            *(claim({self.large: {"VCPU": 1}}, consumer_type="OTHER") for _ in range(3)),
            *(claim({self.small: {"VCPU": 2}}) for _ in range(2)),
        )

    def test_hosts_with_the_fewest_to_go_come_first(self):
        answer = found(self.database, of_amounts(VCPU=4))
        self.assertEqual(
            [("large", 1), ("small", 2)],
            [(each.host.name, len(each.consumers)) for each in answer.hosts],
        )
        self.assertEqual([self.ours.consumer_uuid], [c.uuid for c in answer.hosts[0].consumers])
        self.assertEqual(1, len(found(self.database, of_amounts(VCPU=4), top=1).hosts))

    def test_only_consumers_of_a_type_or_project_go(self):
        self.assertEqual(
            [("large", 3)],
            [
                (each.host.name, len(each.consumers))
                for each in found(self.database, of_amounts(VCPU=3), "OTHER").hosts
            ],
        )
        self.assertEqual(
            ["large"],
            [each.host.name for each in found(self.database, of_amounts(VCPU=5), "ours").hosts],
        )
        self.assertRaises(
            exception.NoSuchConsumers, found, self.database, of_amounts(VCPU=4), "nobody"
        )

    def test_nobody_has_to_go_where_nothing_would_help(self):
        answer = found(self.database, of_amounts(VCPU=9))
        self.assertEqual((0, [], True), answer)

    def test_nobody_has_to_go_for_a_tree_that_does_not_exist(self):
        """This is true even if a group without resources names the tree."""
        in_tree = Group("", {}, in_tree=str(uuid.uuid4()))
        query = CandidateQuery((in_tree, Group("_CPU", {"VCPU": 1})))
        self.assertEqual((0, [], True), found(self.database, query))

    def test_the_effort_is_bounded(self):
        self.assertRaises(
            exception.PlanTooLong, found, self.database, of_amounts(VCPU=4), most_effort=3
        )

    def test_if_the_effort_ends_after_the_first_host_the_answer_is_incomplete(self):
        first = first_answer(
            lambda effort: found(self.database, of_amounts(VCPU=4), most_effort=effort)
        )
        self.assertEqual(["large"], [each.host.name for each in first.hosts])
        self.assertFalse(first.is_complete)


def first_answer(find):
    """Return what `find` returns for the least effort for which it raises no PlanTooLong."""
    for most_effort in itertools.count(1):
        with contextlib.suppress(exception.PlanTooLong):
            return find(most_effort)


class ReleaseCommand(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        with fresh.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 4})
        self.consumer = claim({self.host: {"VCPU": 3}})
        take(fresh.database, self.consumer)

    def run_release(self, *arguments):
        return self.run_command(manage, "release", *arguments)

    def test_release_prints_who_would_have_to_go(self):
        exit_status, output, errors = self.run_release("VCPU:4")
        self.assertEqual((1, ""), (exit_status, errors))
        self.assertEqual(
            [
                "1 consumer would have to go, on host.",
                "",
                f"  Host  Consumer{' ' * 28}  Project",
                f"  host  {self.consumer.consumer_uuid}  project",
            ],
            output.splitlines(),
        )
        exit_status, output, _ = self.run_release("VCPU:1")
        self.assertEqual((0, "The request already fits on 1 host.\n"), (exit_status, output))
        exit_status, output, _ = self.run_release("VCPU:9")
        no_room = "No host would have room, whichever consumers went.\n"
        self.assertEqual((1, no_room), (exit_status, output))

    def test_release_says_that_its_answer_is_incomplete(self):
        find = release.find

        def find_some(*arguments):
            return find(*arguments)._replace(is_complete=False)

        with mock.patch.object(release, "find", find_some):
            _, output, _ = self.run_release("VCPU:4")
        self.assertEqual(plans.MORE_RELEASES, output.splitlines()[-1])

    def test_release_prints_the_document_of_the_service_or_rows(self):
        document = json.loads(self.run_release("VCPU:4", "--json")[1])
        self.assertEqual(
            [self.consumer.consumer_uuid],
            [each["uuid"] for each in document["hosts"][0]["consumers"]],
        )
        _, output, _ = self.run_release("VCPU:4", "-f", "value", "-c", "host", "-c", "project")
        self.assertEqual("host project\n", output)

    def test_release_reports_a_mistake_in_one_line(self):
        for arguments, complaint in (
            (["VCPUS:4"], "Did you mean VCPU"),
            (["VCPU:4", "--of", "nobody"], "No consumer type or project nobody found."),
            (["VCPU:4", "--top", "0"], "top"),
        ):
            exit_status, output, errors = self.run_release(*arguments)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertIn(complaint, errors)
            self.assertEqual(1, errors.count("\n"), errors)
