"""What the benchmark writes is as sound as what the service writes, and all of it is removed."""

import argparse
import collections
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import psutil

from bench import agents, mixes, ordinary, placing
from bench.clouds import agents_cloud, cloud, loader, most, reads, small_cloud
from bench.measuring import client, interrupts, measure, processes
from bench.reports import chart, report
from bench.running import options, servers
from bench.running.servers import REPOSITORY, Server
from placement.objects import ledger_audit
from tests import databases, fixtures, server


@databases.on_each_database
class Loading:
    def setUp(self):
        super().setUp()
        self.plan = cloud.Cloud(flat=9, trees=2, wide=1, compute_traits=["COMPUTE_NODE"])
        self.service = self.useFixture(fixtures.Application(self.kind))
        url = self.service.configuration.placement_database.connection
        loader.load(url, self.plan, self.plan.instances(2))

    def test_an_audit_of_the_benchmarks_cloud_finds_nothing(self):
        with self.service.database.reader() as conn:
            self.assertTrue(ledger_audit.is_sound(ledger_audit.audit(conn)))

    def test_loading_the_cloud_of_the_benchmark_records_no_changes(self):
        answer = self.service.ask("GET", "/operator/changes", "latest").json
        self.assertEqual([], answer["changes"])

    def test_answers_have_as_many_items_as_the_benchmark_expects(self):
        for read in reads.of(self.plan):
            answer = self.service.ask("GET", read.path, "latest").json
            self.assertEqual(read.expected, len(answer[read.key]), read.title)

    def test_the_claims_of_the_benchmark_are_stored(self):
        for claim in self.plan.claims(4):
            path, document = claim.request()
            answer = self.service.ask(
                "PUT", path, "latest", json=document, content_type="application/json"
            )
            self.assertEqual(204, answer.status_int, answer.text)

    def test_each_instance_is_placed_on_another_equally_empty_host(self):
        placed = [self._place() for _ in range(4)]
        self.assertEqual(4, len(set(placed)))

    def _place(self):
        """Place an instance as a scheduler does. Return the providers that it takes from."""
        candidate = placing.emptiest(self.service.ask("GET", placing.QUESTION, "latest").json)
        claim = self.plan.claims(1)[0]
        answer = self.service.ask(
            "PUT",
            claim.request()[0],
            "latest",
            json=placing.claim(candidate),
            content_type="application/json",
        )
        self.assertEqual(204, answer.status_int, answer.text)
        return frozenset(candidate["allocations"])


@databases.on_each_database
class Agents:
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))

    def load(self, instances_per_host, **kind):
        plan = agents_cloud.AgentsCloud(["COMPUTE_NODE"], **kind)
        url = self.service.configuration.placement_database.connection
        loader.load(url, plan, plan.instances(instances_per_host))
        return plan

    def send(self, method, path, document=None):
        given = {} if document is None else {"json": document, "content_type": "application/json"}
        answer = self.service.ask(method, path, "latest", **given)
        self.assertLess(answer.status_int, 300, answer.text)
        return answer.json if answer.body else None

    def test_requests_of_agents_are_stored_and_answers_have_the_expected_length(self):
        plan = self.load(instances_per_host=1, devices=4)
        for number in (0, 1):
            for _, prepare in agents.writes(plan):
                for request in prepare(self.send, number):
                    self.send(*request)
        for read in [*plan.agents_reads(), *plan.device_reads()]:
            self.assertEqual(read.expected, len(self.send("GET", read.path)[read.key]), read.title)

    def test_all_hosts_are_candidates_with_the_disk_that_they_share(self):
        read = self.load(instances_per_host=0, shares_disk=True).shared_disk_read()
        self.assertEqual(read.expected, len(self.send("GET", read.path)[read.key]))


class OneInstance(unittest.TestCase):
    def test_the_99th_percentile_of_a_single_value_is_that_value(self):
        server = unittest.mock.Mock(patience=60)
        with unittest.mock.patch.object(placing, "_figures") as figures:
            figures.return_value = [measure.Figure(2.0)], [[500.0]]
            wanted = argparse.Namespace(placed=1, rounds=1)
            rows = [*placing.rows(wanted, [server])]
        self.assertEqual([500.0, 500.0] * 2, [
            row.figures[0].median for row in rows if row.unit is report.Unit.MILLISECONDS
        ])


class TooSlow(unittest.TestCase):
    def setUp(self):
        self.patient = self._server(patience=60)
        self.slow = self._server(patience=1)

    def test_a_server_that_is_too_slow_gets_no_more_requests(self):
        asked = []

        def turn(server, number):
            asked.append((server.name, number))
            if server is self.slow:
                read = reads.Read("one provider", "/resource_providers", "links", 6)
                return measure.read(read)(server, number)
            return measure.Turn([4.0], 1, 0.002, None, collections.Counter())

        [figures] = measure.alternating_figures([self.patient, self.slow], [turn], 2, warm_up=1)
        self.assertEqual([(4.0, None), (None, 1)], [(one.median, one.gave_up) for one in figures])
        self.assertEqual(1, sum(name == self.slow.name for name, _ in asked))
        row = report.Row("one provider", report.Unit.MILLISECONDS, figures)
        self.assertIsNone(row.ratio)
        self.assertRegex(report.table(["ours", "theirs"], [row]), "4.0 .* gave up after 1 s .* -\n")
        self.assertIn("one provider", chart.draw(["ours", "theirs"], [row]))

    def test_the_workers_of_a_server_that_is_too_slow_are_restarted(self):
        [before] = psutil.Process(self.slow.pid).children()
        processes.kill_workers(self.slow.pid)
        before.wait(10)
        deadline = time.monotonic() + 10
        while not (now := psutil.Process(self.slow.pid).children()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertNotEqual([before], now)

    def _server(self, patience):
        """Return a Server that accepts requests, and never answers."""
        listener = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        master = subprocess.Popen(
            ["sh", "-c", "while true; do sleep 60; done"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.addCleanup(master.wait)
        self.addCleanup(os.killpg, master.pid, signal.SIGKILL)
        while not psutil.Process(master.pid).children():
            time.sleep(0.01)
        return Server(f"{patience} s", listener.getsockname()[1], master.pid, "", None, patience)


class WebServers(unittest.TestCase):
    def test_the_benchmark_serves_with_gunicorn(self):
        self.check("gunicorn")

    @unittest.skipUnless(os.path.exists(server.program("uwsgi")), "uWSGI is not installed")
    def test_the_benchmark_serves_with_uwsgi(self):
        self.check("uwsgi")

    def check(self, web_server):
        def launch(port, url, _directory):
            return servers.this_server(port, url, 1, web_server)

        where = argparse.Namespace(engine="sqlite", database_server=None)
        with servers.started("this server", where, launch) as started:
            client = started.client()
            self.addCleanup(client.close)
            for _ in range(2):
                self.assertEqual(200, client.ask("GET", "/").status)


class Options(unittest.TestCase):
    def test_an_option_of_the_benchmark_below_one_is_refused(self):
        for text in ("0", "-3", "1.5", "many"):
            with self.assertRaisesRegex(
                argparse.ArgumentTypeError, f"^'{text}' is not a whole number of at least 1$"
            ):
                options.positive(text)
        self.assertEqual(1, options.positive("1"))


class Interrupted(unittest.TestCase):
    def test_sigterm_during_claims_cleans_up_a_benchmark(self):
        self.assert_nothing_is_left(signal.SIGTERM, "a host each")

    def test_ctrl_c_while_a_server_starts_cleans_up_a_benchmark(self):
        self.assert_nothing_is_left(signal.SIGINT, "Starting")

    def assert_nothing_is_left(self, signum, line):
        """Interrupt bench.spread after this line of its log."""
        directory = self.enterContext(tempfile.TemporaryDirectory())
        benchmark = subprocess.Popen(
            [sys.executable, "-m", "bench.spread", "--hosts", "100"],
            cwd=REPOSITORY,
            env=os.environ | {"TMPDIR": directory},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(benchmark.kill)
        for said in benchmark.stderr:
            if line in said:
                break
        started = psutil.Process(benchmark.pid).children(recursive=True)
        benchmark.send_signal(signum)
        _, last = benchmark.communicate(timeout=30)
        self.assertEqual(130, benchmark.returncode, last)
        self.assertEqual("Interrupted; everything is cleaned up.", last.splitlines()[-1])
        self.assertEqual([], [process for process in started if process.is_running()])
        self.assertEqual([], os.listdir(directory))


class InterruptedInALock(unittest.TestCase):
    """`threading` takes many locks in Python: an interrupt then leaves one locked, now and then."""

    def test_clients_that_start_during_an_interrupt_still_end(self):
        for signum in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, signum, signal.getsignal(signum))
        for nth in range(1, 9):
            with self.subTest("interrupted in the nth lock", nth=nth):
                self.assert_clients_end(nth)

    def assert_clients_end(self, nth):
        interrupts.accept()
        before = threading.enumerate()
        locks = itertools.count(1)

        def enter(condition):
            taken = condition._lock.__enter__()
            main = threading.main_thread().ident
            if threading.get_ident() == main and next(locks) == nth:
                os.kill(os.getpid(), signal.SIGTERM)
            return taken

        with (
            unittest.mock.patch.object(threading.Condition, "__enter__", enter),
            self.assertRaises(KeyboardInterrupt),
        ):
            client.side_by_side(2, str, range(9))
        for thread in set(threading.enumerate()).difference(before):
            thread.join(10)
            self.assertFalse(thread.is_alive())


class Mixes(unittest.TestCase):
    def candidate(self, request, host, **amounts):
        return most.Candidate(request, host, amounts)

    def test_the_most_requests_are_found_even_where_placing_the_largest_first_finds_fewer(self):
        # One claim of the first request takes all but two units of host a: the others need b.
        candidates = [
            self.candidate(request, host, **{host: amount})
            for request, amount in enumerate((3, 2))
            for host in ("a", "b")
        ]
        self.assertEqual(3, most.claimable([1, 2], candidates, {"a": 5, "b": 2}))
        self.assertEqual(4, most.claimable([2, 2], candidates, {"a": 6, "b": 4}))
        self.assertEqual(0, most.claimable([1, 2], candidates, {"a": 1, "b": 1}))

    def test_what_hosts_share_is_taken_only_once(self):
        candidates = [self.candidate(0, host, **{host: 1, "disk": 2}) for host in ("a", "b")]
        self.assertEqual(2, most.claimable([4], candidates, {"a": 2, "b": 2, "disk": 5}))

    def test_one_host_may_serve_a_request_in_several_ways(self):
        candidates = [self.candidate(0, "a", **{key: 1}) for key in ("node0", "node1")]
        self.assertEqual(3, most.claimable([9], candidates, {"node0": 1, "node1": 2}))

    def test_too_many_ways_are_not_tried(self):
        candidates = [self.candidate(0, "a", **{f"n{number}": 1}) for number in range(8)]
        with unittest.mock.patch.object(most, "MOST_STATES", 100):
            self.assertRaises(
                most.TooMany, most.claimable, [8], candidates, {f"n{n}": 8 for n in range(8)}
            )

    def test_a_summary_shows_the_worst_mix(self):
        outcomes = [mixes.Outcome(4, 4, 4), mixes.Outcome(4, 2, 4), mixes.Outcome(9, 3, 4), None]
        summary = mixes.summary(outcomes)
        self.assertIn("everything fits into 2 of 3 clouds", summary)
        self.assertIn("for 1 of these, and places 75.0% on average, at worst 2 of 4.", summary)
        self.assertIn("1 more are too large", summary)

    def test_the_command_prints_a_line_for_each_kind_of_cloud(self):
        done = subprocess.run(
            [sys.executable, "-m", "bench.mixes", "--clouds", "2"],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
        )
        self.assertEqual(0, done.returncode, done.stderr)
        lines = [line.partition(":")[0] for line in done.stdout.splitlines()]
        self.assertEqual([*small_cloud.KINDS], lines)


class Conditions(unittest.TestCase):
    def test_too_few_queries_for_the_slowest_of_a_hundred_are_refused_before_the_start(self):
        done = subprocess.run(
            [sys.executable, "-m", "bench.ordinary", "--nova", "149"],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
        )
        self.assertEqual(2, done.returncode)
        self.assertIn("at least 150 queries of each kind are needed", done.stderr)

    def test_only_the_chosen_part_of_the_ordinary_clouds_is_named(self):
        chosen = argparse.Namespace(nova=60, wild=70, claims=80, repetitions=20, only=None)
        queries, agents_do = ordinary.parts(chosen)
        chosen.only = ordinary.QUERIES
        self.assertEqual([queries], [*ordinary.parts(chosen)])
        chosen.only = ordinary.AGENTS
        self.assertEqual([agents_do], [*ordinary.parts(chosen)])
