"""Accounts for database servers where the tests run as root: the servers refuse to."""

import contextlib
import os
import pwd
import shutil
import tempfile


def account(name):
    """Return the options of subprocess that run a program as `name` if this process is root."""
    if os.geteuid() != 0:
        return {}
    found = pwd.getpwnam(name)
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


@contextlib.contextmanager
def directory(name):
    """Give a directory that belongs to the account, and remove it with all that it holds."""
    path = tempfile.mkdtemp(prefix="placement-")
    try:
        if os.geteuid() == 0:
            shutil.chown(path, name)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
