"""How many more of each flavor fit: the command and the metrics."""

import json
import os
import pathlib
import time
from unittest import mock

import fixtures as base_fixtures
import hypothesis
from hypothesis import strategies as st

from placement.candidates import name_lookup
from placement.candidates.effort import Effort
from placement.candidates.fits import fit, summarized_cloud
from placement.candidates.fits.what_if import WhatIf
from placement.candidates.query import CandidateQuery, Group
from placement.cmd import manage
from placement.db.search import every_tree
from placement.flavors import counting
from placement.metrics import flavor_gauges
from tests import databases, dice, fixtures, properties
from tests.commands import Commands
from tests.functional.operators.test_hosts_alike import with_copies
from tests.functional.operators.test_metrics import named as sample_named
from tests.functional.operators.test_metrics import samples
from tests.functional.random_worlds import RandomWorlds, named
from tests.functional.worlds import claim, provider, set_traits, take

FLAVORS = [
    {"Name": "small", "VCPUs": 2, "RAM": 512, "Disk": 0, "Properties": {}, "Is Public": True},
    {
        "Name": "gold",
        "VCPUs": 1,
        "RAM": 0,
        "Disk": 0,
        "Properties": {"trait:CUSTOM_NOBODY_HAS_IT": "required", "accel:device_profile": "a"},
        "Is Public": False,
    },
    {"Name": "huge", "VCPUs": 99, "RAM": 0, "Disk": 0, "Properties": {}, "Is Public": True},
]


def fill(database):
    """Make room for five instances of the flavor small, and three more on a disabled host."""
    with database.writer() as conn:
        host = provider(conn, "host", {"VCPU": 12, "MEMORY_MB": 8192})
        disabled = provider(conn, "disabled", {"VCPU": 6, "MEMORY_MB": 8192})
        set_traits(conn, disabled, ["COMPUTE_STATUS_DISABLED"])
    take(database, claim({host: {"VCPU": 2}}))


def written(test, text):
    path = pathlib.Path(test.useFixture(base_fixtures.TempDir()).path) / "flavors.json"
    path.write_text(text)
    return path


@databases.on_each_database
class FlavorsCommand(Commands):
    """If a test fails, an operator orders hosts that are not needed, or too late."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        fill(self.database)
        self.path = str(written(self, json.dumps(FLAVORS)))

    def test_each_flavor_is_shown_with_what_stops_it(self):
        status, output, errors = self.run_command(manage, "flavors", self.path)
        self.assertEqual(1, status)
        self.assertRegex(output, r"small +5  █{30} +1  not enough VCPU")
        self.assertRegex(output, r"gold +0 +0  No such trait.* CUSTOM_NOBODY_HAS_IT")
        self.assertRegex(output, r"huge +0 +0  ")
        self.assertEqual("Not considered for gold: accel:device_profile=a\n", errors)

    def test_the_configured_file_is_the_default_and_rows_are_for_programs(self):
        self.useFixture(base_fixtures.EnvironmentVariable("OS_METRICS__FLAVORS", self.path))
        _, output, _ = self.run_command(
            manage, "flavors", "-f", "value", "-c", "flavor", "-c", "fit"
        )
        self.assertEqual("small 5\ngold 0\nhuge 0\n", output)

    def test_json_has_the_queries(self):
        status, output, _ = self.run_command(
            manage, "flavors", str(written(self, "one VCPU:1")), "--json"
        )
        self.assertEqual(0, status)
        self.assertEqual(
            {
                "format": 1,
                "flavors": [
                    {
                        "name": "one",
                        "query": "resources=VCPU:1",
                        "ignored": [],
                        "fit": 16,
                        "hosts": 2,
                        "stopped_by": "VCPU",
                        "mistake": None,
                        "why": "not enough VCPU",
                    }
                ],
            },
            json.loads(output),
        )

    def test_a_query_that_the_service_refuses_fits_nowhere(self):
        path = str(written(self, "odd resources=VCPU:0\nlimited resources=VCPU:1&limit=1"))
        _, output, _ = self.run_command(manage, "flavors", path, "-f", "json")
        odd, limited = json.loads(output)
        self.assertEqual((0, 16), (odd["Fit"], limited["Fit"]))
        self.assertIn("Requested resource VCPU requires amount >= 1", odd["Stopped by"])

    def test_a_misspelled_parameter_in_a_flavor_is_refused_and_not_ignored(self):
        """Without the trait that it was meant to require, the flavor would fit more often."""
        path = str(written(self, "one resources=VCPU:1&requierd=HW_CPU_X86_AVX\n"))
        status, output, _ = self.run_command(manage, "flavors", path)
        self.assertEqual(1, status)
        self.assertRegex(output, r"one +0 .*requierd")

    def test_without_a_file_the_command_says_what_it_needs(self):
        status, _, errors = self.run_command(manage, "flavors")
        self.assertEqual(2, status)
        self.assertIn("A file of flavors is required", errors)
        status, _, errors = self.run_command(manage, "flavors", "/does/not/exist")
        self.assertEqual(2, status)
        self.assertIn("/does/not/exist cannot be read", errors)


@databases.on_each_database
class FlavorMetrics:
    """If a test fails, an alert about a flavor comes too late, or costs more than it should."""

    def setUp(self):
        super().setUp()
        self.path = written(self, json.dumps(FLAVORS))
        self.log = self.useFixture(base_fixtures.FakeLogger())
        self.service = self.useFixture(
            fixtures.Application(
                self.kind,
                metrics__enabled=True,
                metrics__flavors=str(self.path),
                metrics__flavor_interval=1,
            )
        )
        fill(self.service.database)
        # There are no pauses: the test need not spare the machine.
        self.useFixture(base_fixtures.MockPatchObject(flavor_gauges, "SHARE", 1))

    def counted(self):
        """Return the samples after every flavor has been counted once."""
        gauges = self.service.exporter.flavors
        gauges._begun_at = None
        samples(self.service)
        gauges.wait()
        gauges._begun_at = time.monotonic()
        return samples(self.service)

    def test_each_flavor_has_gauges_by_our_name_and_that_of_os_capacity(self):
        found = self.counted()
        flavors = ("small", 5, "True"), ("gold", 0, "False"), ("huge", 0, "True")
        for name, number, public in flavors:
            self.assertEqual(number, found[sample_named("placement_flavor_fit", flavor=name)])
            other = sample_named(
                "openstack_free_capacity_by_flavor_total", flavor_name=name, public=public
            )
            self.assertEqual(number, found[other])
        self.assertLess(found[sample_named("placement_flavors_age_seconds")], 60)
        self.assertEqual(1, found[sample_named("placement_flavors_readable")])

    def test_a_broken_file_keeps_the_flavors_and_is_logged_once(self):
        self.counted()
        self.path.write_text("[")
        for _ in range(2):
            found = self.counted()
        self.assertEqual(5, found[sample_named("placement_flavor_fit", flavor="small")])
        self.assertEqual(0, found[sample_named("placement_flavors_readable")])
        self.assertEqual(1, self.log.output.count("The previous flavors stay: "))
        os.unlink(self.path)
        self.path.write_text("other VCPU:1")
        found = self.counted()
        self.assertEqual(16, found[sample_named("placement_flavor_fit", flavor="other")])
        self.assertNotIn(sample_named("placement_flavor_fit", flavor="small"), found)

    def test_flavors_are_counted_once_in_an_interval(self):
        self.counted()
        with mock.patch.object(counting, "read") as read:
            samples(self.service)
        read.assert_not_called()

    def test_pauses_after_each_flavor_bound_the_share_of_cpu_time(self):
        gauges = self.service.exporter.flavors
        ticks = mock.Mock(side_effect=range(100))
        clock = mock.Mock(thread_time=ticks, monotonic=time.monotonic)
        with (
            mock.patch.object(flavor_gauges, "SHARE", 0.05),
            mock.patch.object(flavor_gauges, "time", clock),
        ):
            gauges._run()
        rests = [round(each.args[0], 6) for each in clock.sleep.call_args_list]
        self.assertEqual([19.0] * 3, rests)


@databases.on_each_database
class FlavorsOfTheService:
    """If a test fails, the page for operators has wrong numbers, or keeps a worker busy."""

    def serve(self, text=None, **settings):
        """Start a service, with a file of flavors unless its `text` is None."""
        path = None if text is None else written(self, text)
        service = self.useFixture(
            fixtures.Application(
                self.kind, metrics__flavors=path and str(path), **settings
            )
        )
        fill(service.database)
        return service

    def ask(self, service, query=""):
        answer = service.ask("GET", f"/operator/flavors{query}")
        self.assertEqual(200, answer.status_int)
        return answer.json

    def test_each_flavor_is_counted_in_the_order_of_the_file(self):
        found = self.ask(self.serve(json.dumps(FLAVORS)))
        self.assertEqual((None, 3, None), (found["fault"], found["all"], found["next"]))
        small, gold, huge = found["flavors"]
        self.assertEqual(("small", 5, 1), (small["name"], small["fit"], small["hosts"]))
        self.assertEqual("not enough VCPU", small["why"])
        self.assertEqual((0, gold["mistake"]), (gold["fit"], gold["why"]))
        self.assertIn("CUSTOM_NOBODY_HAS_IT", gold["mistake"])
        self.assertEqual(["accel:device_profile=a"], gold["ignored"])
        self.assertEqual(0, huge["fit"])

    def test_a_request_continues_after_the_given_flavor(self):
        service = self.serve(json.dumps(FLAVORS))
        every = ["small", "gold", "huge"]
        for after, names in (("small", every[1:]), ("huge", []), ("gone", every)):
            with self.subTest(after):
                found = self.ask(service, f"?after={after}")["flavors"]
                self.assertEqual(names, [each["name"] for each in found])

    def test_the_effort_of_a_request_is_bounded_and_several_reach_all_flavors(self):
        lines = "".join(f"flavor-{number} VCPU:1\n" for number in range(20))
        service = self.serve(lines, placement__max_search_effort=10_000)
        found, after, requests = [], "", 0
        while after is not None:
            answer = self.ask(service, f"?after={after}")
            found += answer["flavors"]
            after = answer["next"]
            requests += 1
        self.assertEqual([f"flavor-{number}" for number in range(20)], [e["name"] for e in found])
        self.assertEqual({16}, {each["fit"] for each in found})
        self.assertGreater(requests, 3)

    def test_a_flavor_that_needs_more_than_all_of_the_effort_has_no_number(self):
        service = self.serve("one VCPU:1\ntwo VCPU:2", placement__max_search_effort=1000)
        answer = self.ask(service)
        self.assertEqual(("one", [None]), (answer["next"], [e["fit"] for e in answer["flavors"]]))
        self.assertIn("max_search_effort", answer["flavors"][0]["why"])
        self.assertIsNone(self.ask(service, "?after=one")["next"])

    def test_without_a_readable_file_the_answer_says_so(self):
        for text, fault in ((None, r"\[metrics\] flavors is not set"), ("[", "is not JSON")):
            with self.subTest(text):
                found = self.ask(self.serve(text))
                self.assertRegex(found["fault"], fault)
                self.assertEqual([], found["flavors"])


@databases.on_each_database
class FlavorsOfRandomClouds(RandomWorlds):
    """If a test fails, the metrics and `fit` have different numbers for a flavor."""

    @hypothesis.settings(properties.SETTINGS, max_examples=25)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_each_flavor_fits_as_often_as_its_query_by_itself(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(1, 4))])
        queries = [
            named(thrower.query(world, granular_groups=random.randint(0, 2)))
            for _ in range(random.randint(1, 4))
        ]
        queries = [each for each in queries if any(group.resources for group in each.groups)]
        with self.database.writer() as conn:
            self.store(conn, with_copies(world, random))
            with mock.patch.object(every_tree, "AT_ONCE", random.randint(1, 4)):
                cloud = summarized_cloud.read(conn, queries)
            for query in queries:
                alone = fit.count(conn, query, WhatIf(), False, None, 0, Effort())
                found = summarized_cloud.count(cloud, query, Effort())
                self.assertEqual(
                    (alone.times, sum(alone.hosts_by_fit.values()), alone.stopped_by), found
                )

    def test_hosts_with_room_for_equal_multiples_of_the_amounts_are_kept_once(self):
        with self.database.writer() as conn:
            for number in range(20):
                provider(conn, f"host-{number}", {"VCPU": 8 + number % 4, "DISK_GB": number + 1})
            few = summarized_cloud.read(conn, [of(VCPU=4), of(VCPU=8)])
            self.assertEqual([20], list(few.tree_counts.values()))
            self.assertEqual(20, len(summarized_cloud.read(conn, [of(DISK_GB=1)]).trees))

    def test_a_class_that_is_named_without_an_amount_stays_as_it_is(self):
        """A new parameter might forbid a class, as the example in search.rst does."""
        queries = [of(VCPU=4)]
        with self.database.writer() as conn:
            provider(conn, "host", {"VCPU": 9, "FPGA": 3})
            names = name_lookup.known(conn, *queries, of(FPGA=1))
            with mock.patch.object(name_lookup, "known", return_value=names):
                cloud = summarized_cloud.read(conn, queries)
        [[host]] = cloud.trees.values()
        rooms = {names.resource_classes[name]: free for name, free in (("VCPU", 8), ("FPGA", 3))}
        self.assertEqual(rooms, {key: room.free for key, room in host.rooms.items()})


def of(**amounts):
    return CandidateQuery((Group("", amounts),))
