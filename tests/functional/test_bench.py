"""What the benchmark writes is as sound as what the service writes, and nothing of it is left."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import psutil

from bench import cloud, loader, options, reads
from bench.servers import REPOSITORY
from placement.objects import audit
from tests import databases, fixtures


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
            self.assertTrue(audit.is_sound(audit.audit(conn)))

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


class Options(unittest.TestCase):
    def test_an_option_of_the_benchmark_below_one_is_refused(self):
        for text in ("0", "-3", "1.5", "many"):
            with self.assertRaisesRegex(
                argparse.ArgumentTypeError, f"^'{text}' is not a whole number of at least 1$"
            ):
                options.positive(text)
        self.assertEqual(1, options.positive("1"))


class Interrupted(unittest.TestCase):
    def test_sigterm_during_claims_leaves_nothing_of_a_benchmark(self):
        self.assert_nothing_is_left(signal.SIGTERM, "a host each")

    def test_ctrl_c_while_a_server_starts_leaves_nothing_of_a_benchmark(self):
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
