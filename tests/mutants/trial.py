"""Try a fault: tests run on a copy of the service that has it, in a process of their own."""

import compileall
import contextlib
import enum
import importlib.util
import os
import pathlib
import shutil
import signal
import sys

from tests.mutants import REPOSITORY, reach

SURVIVED, CAUGHT = 0, 1
# The libraries of the service and the tests: they are imported once, not in each process.
_LIBRARIES = (
    "alembic.command",
    "gabbi.suitemaker",
    "hypothesis",
    "jsonschema",
    "keystonemiddleware.auth_token",
    "oslo_db.sqlalchemy.enginefacade",
    "oslo_middleware",
    "oslo_policy.policy",
    "oslo_upgradecheck.upgradecheck",
    "psycopg2",
    "pymysql",
    "sqlalchemy.dialects.mysql",
    "sqlalchemy.dialects.postgresql",
    "testtools",
    "webob",
)


class Databases(enum.Enum):
    """Which databases tests use."""

    SQLITE = "SQLite only, for tests that are on SQLite"
    AS_NAMED = "those that the names of the tests say"
    EACH = "each that is reachable, for tests that are on SQLite"


class Copy:
    """A directory that looks like the repository, with a copy of the service in it."""

    def __init__(self, directory):
        self._directory = pathlib.Path(directory)
        shutil.rmtree(self._directory, ignore_errors=True)
        self._directory.mkdir(parents=True)
        for entry in REPOSITORY.iterdir():
            if entry.name not in ("placement", "build", ".git"):
                (self._directory / entry.name).symlink_to(entry)
        shutil.copytree(
            REPOSITORY / "placement",
            self._directory / "placement",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        compileall.compile_dir(self._directory / "placement", quiet=1)

    @property
    def caught_by(self):
        """The name of the test that caught the last fault."""
        return self._note.read_text()

    @property
    def _note(self):
        return self._directory / "caught_by"

    def start(self, mutant, tests, databases, seconds):
        """Begin to run tests on a mutant, up to the first that fails. Return the process's id.

        Without a mutant, they run on the service as it is. `databases` is one of Databases. The
        process ends with the status SURVIVED, CAUGHT, or a signal: see `alone` for the seconds.
        """
        self._note.write_text("")
        if mutant:
            path = self._directory / mutant.path
            pathlib.Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)
            path.write_text(mutant.text())
        process = os.fork()
        if process:
            return process
        try:
            os._exit(self._run(tests, databases, seconds))
        finally:
            os._exit(CAUGHT)

    def end(self, mutant, process):
        """Restore the module, and end what the tests left running."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        shutil.copy(REPOSITORY / mutant.path, self._directory / mutant.path)

    def _run(self, tests, databases, seconds):
        alone(seconds)
        os.chdir(self._directory)
        sys.path.insert(0, str(self._directory))
        sys.dont_write_bytecode = True
        os.environ["PYTHONPATH"] = str(self._directory)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        if databases is Databases.SQLITE:
            os.environ["PLACEMENT_TEST_SQLITE_ONLY"] = "1"
        for name in _on_each_database(tests) if databases is Databases.EACH else tests:
            self._note.write_text(name)
            if not reach.run(name):
                return CAUGHT
        return SURVIVED


def _on_each_database(names):
    """Yield names of tests and, if they use a database, the names of the same tests on servers."""
    # This imports the service, which must not happen before the fault is in it.
    from tests import databases

    for name in names:
        yield name
        if "sqlite" in name.lower():
            for kind in databases.reachable()[1:]:
                other = name.replace("OnSqlite.", f"On{kind.capitalize()}.")
                yield other.replace(".on_sqlite.", f".on_{kind}.")


def alone(seconds):
    """Make this forked process silent, limit its time, and let it lead its own process group.

    SIGPROF ends it after this many seconds of CPU time, however busy the machine is. SIGALRM ends
    it after twice that time by the clock, in case it only waits.
    """
    os.setsid()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(2 * seconds)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def import_libraries():
    for name in _LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
