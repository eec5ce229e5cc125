"""Ctrl-C and SIGTERM: the first of them raises KeyboardInterrupt in the main thread."""

import contextlib
import signal

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def accept():
    for signum in _SIGNALS:
        signal.signal(signum, _interrupt)


def ignore():
    for signum in _SIGNALS:
        signal.signal(signum, signal.SIG_IGN)


@contextlib.contextmanager
def delayed():
    """Delay interrupts until the end of the block.

    This replaces the handlers, because processes that are started would inherit a signal mask.
    """
    came = []
    handlers = {
        signum: signal.signal(signum, lambda *arguments: came.append(arguments))
        for signum in _SIGNALS
    }
    try:
        yield
    finally:
        for signum, handler in handlers.items():
            signal.signal(signum, handler)
    if came:
        _interrupt(*came[0])


def _interrupt(signum, frame):
    ignore()
    raise KeyboardInterrupt
