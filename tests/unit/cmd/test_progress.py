"""What a command says on a terminal while it works, and afterwards."""

import contextlib
import io
import pathlib
import re
import sys
import time

import fixtures

from placement.cmd import manage, progress
from tests.unit.cmd.base import CommandTestCase
from tests.unit.cmd.test_display import Output


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Progress(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.EnvironmentVariable("TERM", "xterm"))
        self.useFixture(fixtures.EnvironmentVariable("COLUMNS", "60"))
        self.useFixture(fixtures.MonkeyPatch("placement.cmd.progress.DELAY_SECONDS", 0.01))

    def errors_of(self, work, *arguments, is_terminal=True):
        """What is written to standard error during the block."""
        errors = Output(is_terminal=is_terminal)
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(Output()):
            work(*arguments)
        errors.flush()
        return errors.buffer.getvalue().decode()

    def slow(self):
        with progress.shown("First") as line:
            time.sleep(0.1)
            line.tell("Second, " + "and so on " * 9)
            time.sleep(0.4)
        line.done("Both were done.")

    def test_progress_is_one_line_that_ends_with_the_result(self):
        written = self.errors_of(self.slow)
        self.assertTrue(written.startswith("\033[KFirst (0 s)\r\033[KSecond, and so on"), written)
        for shown in re.split("[\r\n]", re.sub(r"\033\[K", "", written)):
            self.assertLess(len(shown), 60)
        self.assertRegex(written, r"\r\033\[KBoth were done\.( \(\d s\))?\n\Z")

    def test_a_failure_leaves_no_line_behind(self):
        def fail():
            with progress.shown("Working"):
                time.sleep(0.1)
                raise LookupError

        written = self.errors_of(self.assertRaises, LookupError, fail)
        self.assertTrue(written.endswith("\r\033[K"), written)

    def test_a_terminal_without_escapes_gets_only_the_last_line(self):
        with fixtures.EnvironmentVariable("TERM", "dumb"):
            self.assertRegex(self.errors_of(self.slow), r"\ABoth were done\.( \(\d s\))?\n\Z")

    def test_no_progress_is_written_without_a_terminal(self):
        self.assertEqual("", self.errors_of(self.slow, is_terminal=False))

    def test_a_report_says_that_it_is_being_made(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        self.useFixture(fixtures.MonkeyPatch("placement.cmd.progress.DELAY_SECONDS", 0))
        flavors, samples = f"{self.directory}/flavors", f"{self.directory}/samples"
        pathlib.Path(flavors).write_text("small VCPU:1\n")
        pathlib.Path(samples).write_text("At,Class,Used,Capacity\n")
        for arguments, step in (
            (["capacity"], "Reading the cloud"),
            (["explain", "VCPU:4"], "Reading the cloud"),
            (["survive"], "Reading the cloud"),
            (["flavors", flavors], "Reading the cloud"),
            (["find", "x"], "Searching"),
            (["history"], "Reading the changes"),
            (["providers"], "Reading the providers"),
            (["providers", "-f", "csv"], "Reading the providers"),
            (["capacity", "--since", "1d"], "Reading the samples"),
            (["capacity", "--import", samples], "Reading the samples"),
        ):
            written = self.errors_of(manage.main, arguments)
            self.assertIn(f"{step} (0 s)", written, arguments)
            self.assertTrue(written.endswith("\r\033[K"), written)

    def test_what_is_printed_on_the_same_terminal_takes_the_place_of_the_line(self):
        def printing():
            with progress.shown("Reading") as line:
                time.sleep(0.1)
                for _ in line.replaced_by("ab"):
                    counts.append(sys.stderr.getvalue().count("(0 s)"))
                    time.sleep(0.4)

        for is_terminal, is_over in ((True, True), (False, False)):
            counts, errors = [], Terminal()
            with (
                contextlib.redirect_stderr(errors),
                contextlib.redirect_stdout(Output(is_terminal=is_terminal)),
            ):
                printing()
            self.assertEqual(is_over, counts[0] == errors.getvalue().count("(0 s)"))
            self.assertTrue(errors.getvalue().endswith("\r\033[K"))

    def test_a_migration_prints_its_result_only_on_a_terminal(self):
        self.use_database()
        self.useFixture(fixtures.MonkeyPatch("placement.cmd.progress.DELAY_SECONDS", 100))
        revision = r"\d{4}"
        for said in (
            rf"The tables are now at revision {revision}\.",
            rf"The tables were at revision {revision} already\.",
        ):
            written = self.errors_of(manage.main, ["db", "sync"])
            self.assertRegex(written.removeprefix("\033[K"), rf"\A{said}\n\Z")
        self.execute("UPDATE placement_schema_version SET version_num = '0003'")
        self.assertEqual("", self.errors_of(manage.main, ["db", "sync"], is_terminal=False))
        written = self.errors_of(manage.main, ["audit", "-c", "check"])
        self.assertRegex(written.removeprefix("\033[K"), r"\AChecks made: \d+\.\n\Z")
