"""How a benchmark ends: nothing is left behind, and a line says what went wrong, if anything."""

import contextlib
import logging
import sys

import sqlalchemy as sa

from bench.measuring import interrupts
from bench.measuring.client import Unexpected

LOG = logging.getLogger("bench")
FAILED = 1
INTERRUPTED = 130


def run(benchmark, options):
    """Call benchmark(options), which Ctrl-C and SIGTERM interrupt. Return the exit status."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    LOG.setLevel(logging.INFO)
    interrupts.accept()
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
            interrupts.ignore()
