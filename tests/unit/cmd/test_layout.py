"""Tables and sentences fit the terminal that they are printed on."""

import contextlib

import fixtures
import testtools

from placement.cmd import display, layout
from tests.unit.cmd.test_display import Output

UUID = "aaaaaaaa-0000-4000-8000-000000000001"


class Layout(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.EnvironmentVariable("NO_COLOR", "1"))

    def on_terminal(self, width, function, *arguments, **named):
        """Return the lines that a function makes for a terminal of this width."""
        with (
            fixtures.EnvironmentVariable("COLUMNS", str(width)),
            contextlib.redirect_stdout(Output(is_terminal=True)),
        ):
            return function(*arguments, **named).splitlines()

    def table_on_terminal(self, width, rows, align, header=()):
        return self.on_terminal(width, layout.columns, rows, align=align, header=header)

    def test_columns_are_aligned_whatever_their_colours(self):
        rows = [["red", "1"], ["名前", "100"]]
        with contextlib.redirect_stdout(Output()):
            plain = layout.columns(rows, align="lr", header=["Name", ""])
        self.assertEqual(["  Name", "  red     1", "  名前  100"], plain.splitlines())
        with fixtures.EnvironmentVariable("NO_COLOR"), fixtures.EnvironmentVariable("TERM", "x"):
            with contextlib.redirect_stdout(Output(is_terminal=True)):
                rows[0][0] = display.coloured("red", "red")
            coloured = self.table_on_terminal(80, rows, "lr", ["Name", ""])
        self.assertEqual(
            ["  \033[1mName\033[0m", "  \033[31mred\033[0m     1", "  名前  100"], coloured
        )

    def test_characters_in_names_cannot_control_the_terminal(self):
        name, shown = "\033[2Ja\nb\u202e名 \x9b", r"\x1b[2Ja\nb\u202e名 \x9b"
        self.assertEqual([f"  {shown}"], self.table_on_terminal(80, [[name]], "l"))
        self.assertEqual([shown], self.on_terminal(80, layout.folded, name))

    def test_output_that_is_not_a_terminal_is_not_folded(self):
        with fixtures.EnvironmentVariable("COLUMNS", "10"), contextlib.redirect_stdout(Output()):
            self.assertEqual("x " * 99, layout.folded("x " * 99))
            self.assertEqual("  " + "x" * 99, layout.columns([["x" * 99]], align="l"))

    def test_sentences_are_folded_between_words(self):
        self.assertEqual(
            ["  It fits 12", "    times."],
            self.on_terminal(14, layout.folded, "It fits 12 times.", "  "),
        )

    def test_bars_become_narrower_before_text_is_folded(self):
        rows = [["a", display.Bar(1, 2, 20, True), "b c"]]
        for width, shown in (
            (30, "  a  ██████████░░░░░░░░░░  b c"),
            (20, "  a  █████░░░░░  b c"),
            (17, "  a  b c"),
        ):
            self.assertEqual([shown], self.table_on_terminal(width, rows, "lll"))

    def test_words_are_folded_and_numbers_stay_on_the_first_line(self):
        rows = [["a", "1,234", "not enough VCPU"]]
        self.assertEqual(
            [
                "  Host  Largest  Why",
                "           free",
                "  a       1,234  not enough",
                "                 VCPU",
            ],
            self.table_on_terminal(28, rows, "lrl", ["Host", "Largest free", "Why"]),
        )

    def test_long_names_are_split_between_their_parts_but_uuids_are_not(self):
        rows = [["CUSTOM_BAREMETAL_GOLD", UUID]]
        self.assertEqual(
            ["  CUSTOM_", "  BAREMETAL_", "  GOLD", f"      {UUID}"],
            self.table_on_terminal(10, rows, "ll"),
        )

    def test_rows_take_several_lines_before_long_names_are_split(self):
        rows = [["CUSTOM_BAREMETAL_GOLD", UUID, "why not"], ["CUSTOM_GOLD", UUID, ""]]
        self.assertEqual(
            [
                "  Class",
                "      Provider                              Why",
                "  CUSTOM_BAREMETAL_GOLD",
                f"      {UUID}  why not",
                "  CUSTOM_GOLD",
                f"      {UUID}",
            ],
            self.table_on_terminal(51, rows, "lll", ["Class", "Provider", "Why"]),
        )

    def test_what_would_only_fit_without_indentation_takes_one_more_line(self):
        rows = [["a" * 30, "b" * 17, "c" * 17]]
        self.assertEqual(
            ["  " + "a" * 30, "      " + "b" * 17, "      " + "c" * 17],
            self.table_on_terminal(40, rows, "lll"),
        )

    def test_numbers_stay_together_when_rows_take_several_lines(self):
        rows = [[UUID, "VCPU", "16", display.Bar(1, 4, 20, True), "64"]]
        self.assertEqual(
            [
                "  Provider                              Class",
                "      Used                        Capacity",
                f"  {UUID}  VCPU",
                "        16  █████░░░░░░░░░░░░░░░        64",
            ],
            self.table_on_terminal(
                52, rows, "llrlr", ["Provider", "Class", "Used", "", "Capacity"]
            ),
        )

    def test_dates_and_times_are_not_split(self):
        rows = [["2026-11-25 22:15:00", "CUSTOM_GOLD"]]
        self.assertEqual(
            ["  2026-11-25", "  22:15:00", "      CUSTOM_", "      GOLD"],
            self.table_on_terminal(10, rows, "ll"),
        )

    def test_tables_of_any_text_fit_or_are_as_narrow_as_possible(self):
        rows = [[f"n{n} " * n, f"{10**n:,}", "名前_" * n, display.Bar(n, 9, 40)] for n in range(9)]
        for width in range(60, 120):
            for line in self.table_on_terminal(width, rows, "lrll", ["A b", "", "C", ""]):
                self.assertLessEqual(layout.width_of(line), width)
