"""Print what a command is doing to standard error, but only if that is a terminal."""

import contextlib
import os
import shutil
import sys
import threading
import time

# Shorter work is not worth a line.
DELAY_SECONDS = 1
_REFRESH_SECONDS = 0.25

# The first steps of commands.
CONNECTING = "Connecting"
READING_THE_CLOUD = "Reading the cloud"
READING_THE_SAMPLES = "Reading the samples"


class _Line:
    """A line that says what is being done and for how long, and finally what was done."""

    def __init__(self, step):
        self._step = step
        self._begun_at = time.monotonic()
        self._has_ended = threading.Event()
        # The thread that prints the line, while it is shown.
        self._thread = None

    def tell(self, step):
        """Say which step begins."""
        self._step = step

    def tell_number(self, step, number):
        """Say which step begins, and how far it has got."""
        self.tell(f"{step}, one at a time: {number:,}")

    def begin(self):
        """Show the line from now on, but only after DELAY_SECONDS."""
        self._thread = threading.Thread(target=self._refresh, daemon=True)
        self._thread.start()

    def _refresh(self):
        """Print the step and its seconds again and again, until the line ends."""
        wait = DELAY_SECONDS
        while not self._has_ended.wait(wait):
            wait = _REFRESH_SECONDS
            text = f"{self._step} ({self._seconds()} s)"
            width = shutil.get_terminal_size().columns - 1
            # The code at the beginning erases the previous text. The cursor returns, so that a
            # warning overwrites the line.
            print(f"\033[K{text[:width]}\r", end="", file=sys.stderr, flush=True)

    def replaced_by(self, pieces):
        """Yield pieces of output to print. If standard output is a terminal, first end the line."""
        for piece in pieces:
            if sys.stdout.isatty():
                self.end()
            yield piece

    def end(self):
        """Remove the line, if it is shown."""
        if self._thread is not None:
            self._has_ended.set()
            self._thread.join()
            self._thread = None
            print("\033[K", end="", file=sys.stderr, flush=True)

    def done(self, sentence):
        """Say what was done, and how long it took if it took long."""
        if _is_terminal():
            seconds = self._seconds()
            took = f" ({seconds} s)" if seconds >= DELAY_SECONDS else ""
            print(f"{sentence}{took}", file=sys.stderr)

    def _seconds(self):
        return int(time.monotonic() - self._begun_at)


def _is_terminal():
    return sys.stderr.isatty()


def is_dumb_terminal():
    """Return whether the terminal can only print, without colours and without a moving cursor."""
    return os.environ.get("TERM") == "dumb"


@contextlib.contextmanager
def shown(step):
    """Context manager: show the steps inside, if they take long.

    Yields a _Line: call its tell() for each step and its done() afterwards. Before printing
    anything inside the context, call its end().
    """
    line = _Line(step)
    if not _is_terminal() or is_dumb_terminal():
        yield line
        return
    line.begin()
    try:
        yield line
    finally:
        line.end()
