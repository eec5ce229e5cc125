"""How a benchmark ends: nothing is left behind, and a line says what went wrong, if anything."""

import contextlib
import logging
import signal
import sys

import sqlalchemy as sa

from bench.measuring.client import Unexpected

LOG = logging.getLogger("bench")
FAILED = 1
INTERRUPTED = 130

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


def run(benchmark, options):
    """Call benchmark(options), which Ctrl-C and SIGTERM interrupt. Return the exit status."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    LOG.setLevel(logging.INFO)
    for signum in _INTERRUPTS:
        signal.signal(signum, _interrupt)
    try:
        benchmark(options)
    except (Unexpected, sa.exc.SQLAlchemyError) as error:
        LOG.error("%s", error)
        return FAILED
    except KeyboardInterrupt:
        LOG.error("Interrupted; everything is cleaned up.")
        return INTERRUPTED
    return 0


@contextlib.contextmanager
def cleanup():
    """Yield an ExitStack that nothing interrupts while it cleans up."""
    with contextlib.ExitStack() as stack:
        try:
            yield stack
        finally:
            _ignore_interrupts()


@contextlib.contextmanager
def interrupts_delayed():
    """Delay interrupts until the end of the block.

    This replaces the handlers, because processes that are started would inherit a signal mask.
    """
    came = []
    handlers = {
        signum: signal.signal(signum, lambda *arguments: came.append(arguments))
        for signum in _INTERRUPTS
    }
    try:
        yield
    finally:
        for signum, handler in handlers.items():
            signal.signal(signum, handler)
    if came:
        _interrupt(*came[0])


def _interrupt(signum, frame):
    _ignore_interrupts()
    raise KeyboardInterrupt


def _ignore_interrupts():
    for signum in _INTERRUPTS:
        signal.signal(signum, signal.SIG_IGN)
