"""What a command shows, depending on where its output goes."""

import contextlib
import io

import fixtures
import testtools

from placement.cmd import display


class Output(io.TextIOWrapper):
    """Standard output, which may be a terminal."""

    def __init__(self, encoding="utf-8", is_terminal=False):
        super().__init__(io.BytesIO(), encoding)
        self.isatty = lambda: is_terminal


class Display(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in ("NO_COLOR", "TERM"):
            self.useFixture(fixtures.EnvironmentVariable(name))

    def on(self, function, *arguments, **output):
        with contextlib.redirect_stdout(Output(**output)):
            return function(*arguments)

    def test_colours_are_printed_only_on_terminals(self):
        self.assertEqual("x", self.on(display.coloured, "x", "red"))
        red = self.on(display.coloured, "x", "red", is_terminal=True)
        self.assertEqual("\033[31mx\033[0m", red)
        self.assertEqual("", self.on(display.coloured, "", "red", is_terminal=True))

    def test_no_color_turns_colours_off(self):
        for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
            with fixtures.EnvironmentVariable(name, value):
                self.assertEqual("x", self.on(display.coloured, "x", "red", is_terminal=True))

    def test_bars_are_as_long_as_their_shares(self):
        for part, shown in ((0, "░░░░"), (1, "█░░░"), (50, "██░░"), (99, "████")):
            self.assertEqual(shown, self.on(display.Bar(part, 100, 9, True).drawn, 4))
            self.assertEqual(shown.rstrip("░"), self.on(display.Bar(part, 100, 9).drawn, 4))
        self.assertEqual("░░", self.on(display.Bar(0, 0, 2, True).drawn, 2))

    def test_bars_are_ascii_if_the_output_cannot_encode_others(self):
        self.assertEqual("##..", self.on(display.Bar(1, 2, 4, True).drawn, 4, encoding="ascii"))
