"""How many of several requests fit together, compared with claiming them.

Source: doc/how-to/fit.rst.
"""

import json
import os
import uuid
from unittest import mock

import fixtures
import hypothesis
import testtools
from hypothesis import strategies as st

from placement import exception
from placement.candidates.effort import Effort
from placement.candidates.fits import mix
from placement.candidates.query import CandidateQuery, Group
from placement.cmd import manage
from placement.db.search import every_tree
from placement.queries.mix_query import Mix, MixedRequest
from tests import databases, dice, properties
from tests.commands import Commands
from tests.functional.random_worlds import RandomWorlds, named, provider_uuid
from tests.functional.worlds import claim, provider, take

# PLACEMENT_TEST_MIXES=300 makes a long run.
EXAMPLES = int(os.environ.get("PLACEMENT_TEST_MIXES", "25"))


def counted(database, requests, excluded=(), one_per_tree=False, most_effort=None):
    wanted = tuple(
        MixedRequest(f"request {number}", "", query, count)
        for number, (query, count) in enumerate(requests)
    )
    with database.reports() as conn:
        return mix.count(
            conn, Mix(wanted, frozenset(excluded)), one_per_tree, Effort(most_effort)
        )


@databases.on_each_database
class RandomMixes(RandomWorlds):
    """If a test fails, more is promised than can be claimed, or less."""

    @hypothesis.settings(properties.SETTINGS, max_examples=EXAMPLES)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_a_mix_fits_as_often_as_it_can_be_claimed_in_its_order(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(1, 4))])
        requests = []
        for _ in range(random.randint(1, 4)):
            query = thrower.query(world, granular_groups=random.randint(0, 2))
            if any(group.amounts for group in query.groups):
                requests.append((named(query), random.randint(1, 5)))
        hypothesis.assume(requests)
        one_per_tree = thrower.one_in(4)
        gone = random.choice(dice.roots_of(world)) if thrower.one_in(3) else None
        with self.database.writer() as conn:
            self.store(conn, world)
        excluded = [] if gone is None else [provider_uuid(gone)]
        with mock.patch.object(every_tree, "AT_ONCE", random.randint(1, 3)):
            found = counted(self.database, requests, excluded, one_per_tree)
        left = [each for each in world if each.root_id != gone]
        with self.database.writer() as conn:
            self.store(conn, left)
        orders = sorted(each.claim_order for each in found)
        self.assertEqual(list(range(1, len(requests) + 1)), orders)
        for each, (query, count) in sorted(
            zip(found, requests, strict=True), key=lambda pair: pair[0].claim_order
        ):
            self.assertEqual(self.claims(query, count, one_per_tree), each.times)
            stopped = 0 if each.times == count else len(dice.roots_of(left))
            self.assertEqual(stopped, sum(each.stopped_by.values()))


def of(**amounts):
    return CandidateQuery((Group("", amounts),))


@databases.on_each_database
class Mixes:
    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.small = provider(conn, "small", {"VCPU": 4, "MEMORY_MB": 4096})
            self.large = provider(conn, "large", {"VCPU": 8, "MEMORY_MB": 4096})

    def test_the_largest_request_is_claimed_first(self):
        found = counted(self.database, [(of(VCPU=1), 4), (of(VCPU=3), 3)])
        self.assertEqual([(2, 3, {"VCPU": 2}), (1, 3, {})], [tuple(each) for each in found])

    def test_the_largest_is_the_one_with_the_largest_share_of_a_class(self):
        found = counted(self.database, [(of(VCPU=2), 1), (of(MEMORY_MB=2048), 1)])
        self.assertEqual([2, 1], [each.claim_order for each in found])

    def test_a_capacity_below_0_makes_no_other_capacity_scarce(self):
        with self.database.writer() as conn:
            provider(conn, "broken", {"VCPU": 1}, reserved=11)
        found = counted(self.database, [(of(VCPU=2), 1), (of(MEMORY_MB=2048), 1)])
        self.assertEqual([2, 1], [each.claim_order for each in found])

    def test_equal_requests_keep_their_order(self):
        found = counted(self.database, [(of(VCPU=2), 4), (of(VCPU=2), 4)])
        self.assertEqual([(1, 4), (2, 2)], [each[:2] for each in found])

    def test_nothing_fits_on_an_excluded_host(self):
        found = counted(self.database, [(of(VCPU=2), 9)], ["large"])
        self.assertEqual([(1, 2, {"VCPU": 1})], [tuple(each) for each in found])
        self.assertRaises(
            exception.NoSuchHost, counted, self.database, [(of(VCPU=2), 9)], ["none"]
        )

    def test_an_unknown_name_is_refused_with_the_name_of_its_request(self):
        unknown = CandidateQuery(
            (Group("", {"VCPU": 1}, required=(frozenset(["CUSTOM_GLOD"]),)),)
        )
        of_root = CandidateQuery(
            (Group("", {"VCPU": 1}),), root_required=frozenset(["CUSTOM_GLOD"])
        )
        for error, query in (
            (exception.UnknownTraits, unknown),
            (exception.UnknownTraits, of_root),
            (exception.UnknownResourceClass, of(CUSTOM_X=1)),
        ):
            raised = self.assertRaises(
                error, counted, self.database, [(of(VCPU=1), 1), (query, 1)]
            )
            self.assertIn("Request request 1: ", str(raised))

    def test_a_request_that_names_an_unknown_tree_fits_nowhere(self):
        """Even if a group without resources names the tree. Other requests are still claimed."""
        in_tree = Group("", {}, in_tree=str(uuid.uuid4()))
        asked = CandidateQuery((in_tree, Group("_CPU", {"VCPU": 1})))
        found = counted(self.database, [(asked, 1), (of(VCPU=2), 1)])
        self.assertEqual([(0, {"in_tree": 2}), (1, {})], [each[1:] for each in found])

    def test_the_effort_of_a_mix_is_bounded(self):
        self.assertRaises(
            exception.FitTooLong, counted, self.database, [(of(VCPU=1), 9)], most_effort=3
        )

    def test_reading_the_hosts_again_for_each_request_takes_effort(self):
        counted(self.database, [(of(VCPU=1), 1)] * 3, most_effort=100)
        self.assertRaises(
            exception.FitTooLong, counted, self.database, [(of(VCPU=1), 1)] * 12, most_effort=100
        )


class MixCommand(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        with fresh.database.writer() as conn:
            host = provider(conn, "host", {"VCPU": 8})
            provider(conn, "other", {"VCPU": 4})
        take(fresh.database, claim({host: {"VCPU": 1}}))

    def run_mix(self, text, *arguments):
        path = self.useFixture(fixtures.TempDir()).join("mix")
        with open(path, "w") as file:
            file.write(text)
        return self.run_command(manage, "fit", "--mix", path, *arguments)

    def test_a_mix_is_printed_as_a_table(self):
        exit_status, output, errors = self.run_mix("# ours\nweb 2 VCPU:3\n\ndb 9 VCPU:2\n")
        self.assertEqual((1, ""), (exit_status, errors))
        lines = output.splitlines()
        self.assertEqual("4 of 11 fit.", lines[0])
        self.assertRegex(lines[3], r"^  web +2 of 2  █{30}$")
        self.assertRegex(lines[4], r"^  db +2 of 9  █+░+  not enough VCPU \(2\)$")

    def test_a_mix_may_be_json_and_is_answered_as_by_the_service(self):
        request = {"name": "web", "query": "resources=VCPU:3", "count": 3}
        exit_status, output, _ = self.run_mix(json.dumps({"requests": [request]}), "--json")
        document = json.loads(output)
        self.assertEqual((0, 1, True), (exit_status, document["format"], document["all"]))
        self.assertEqual(
            [request | {"fit": 3, "claim_order": 1, "stopped_by": {}}], document["requests"]
        )
        exit_status, output, _ = self.run_mix("web 3 VCPU:3", "--exclude", "other")
        self.assertEqual((1, "2 of 3 fit."), (exit_status, output.splitlines()[0]))

    def test_a_mistake_in_a_mix_is_reported_in_one_line(self):
        for text, complaint in (
            ("web VCPU:3", "line 1: expected a name, a number, and a query"),
            ("web 3 VCPU:x", "Request web: "),
            ("# web\nweb 0 VCPU:3", ", line 2: count: 0 is less than the minimum of 1."),
            (f"web {'9' * 5000} VCPU:3", "line 1: expected a name, a number, and a query"),
            ("", " has no requests."),
            ("web 1 VCPUS:3", "Did you mean VCPU"),
            ("{", "is not JSON"),
            (f'{{"requests": {"[" * 700}{"]" * 700}}}', "is nested too deeply."),
            ("{}", "'requests' is a required property"),
        ):
            exit_status, output, errors = self.run_mix(text)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertIn(complaint, errors)
            self.assertEqual(1, errors.count("\n"), errors)
        for arguments, complaint in (
            (["--bound", "1"], "--mix cannot be combined with --bound, only"),
            (["-f", "csv"], "--mix cannot be combined with -f, -c or --sort-column, only"),
            (["--top", "3"], "--mix cannot be combined with --top, only"),
            (["--bound", ""], "--mix cannot be combined with --bound, only"),
        ):
            self.assertIn(complaint, self.run_mix("web 1 VCPU:3", *arguments)[2])
        self.assertIn("A query is required", self.run_command(manage, "fit")[2])
        self.assertIn("cannot be read", self.run_command(manage, "fit", "--mix", "/none")[2])
