"""Accounts for database servers if the tests run as root: the servers refuse to run as root."""

import contextlib
import os
import shutil
import tempfile


def prefix(name):
    """Return the beginning of a command that runs as `name` if this process is root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--clear-groups"]


@contextlib.contextmanager
def directory(name):
    """Yield a directory that belongs to the account, and remove it with all its contents."""
    path = tempfile.mkdtemp(prefix="placement-")
    try:
        hand_over(path, name)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def hand_over(path, name):
    """Give a file or directory to the account if this process is root."""
    if os.geteuid() == 0:
        shutil.chown(path, name, name)
