"""The database of one test."""

import functools
import os
import tempfile

import fixtures

from placement.conf import connection, opts
from placement.db import engine
from placement.db.schema import migrate, standard_names


class NewFile(fixtures.Fixture):
    """A new SQLite file, migrated, with the standard names in it. It is removed after the test.

    Until then, the configuration names the file. `conf_fixture` is an oslo_config.fixture.Config;
    its ConfigOpts need not know the options of the service.
    """

    def __init__(self, conf_fixture):
        super().__init__()
        self._conf_fixture = conf_fixture

    def _setUp(self):
        # Only the options of the database are registered: the project may have registered the
        # others itself.
        self._conf_fixture.conf.register_opts(opts.DATABASE_OPTIONS, group="placement_database")
        url = new_sqlite_file(self.useFixture(fixtures.TempDir()).path)
        # The data of a test need not survive a crash of the machine.
        self._conf_fixture.config(
            connection=url, sqlite_synchronous=False, group="placement_database"
        )


class Database(fixtures.Fixture):
    """The database that a configuration names, migrated, with the standard names in it.

    With `set_config`, this fixture makes the configuration name a new SQLite file. `conf_fixture`
    is an oslo_config.fixture.Config. Without `set_config`, its ConfigOpts must know the options
    of the service.
    Attributes: database, a placement.db.engine.Database; None before the fixture is set up.
    """

    def __init__(self, conf_fixture, set_config=False):
        super().__init__()
        self._conf_fixture = conf_fixture
        self._set_config = set_config
        self.database = None

    def _setUp(self):
        if self._set_config:
            self.useFixture(NewFile(self._conf_fixture))
        self.database = connection.connect(self._conf_fixture.conf, creates_file=True)
        self.addCleanup(self.database.engine.dispose)
        if not self._set_config:
            _fill_in(self.database)


def new_sqlite_file(directory):
    """Make a migrated database with the standard names in `directory`, and return its URL."""
    path = os.path.join(directory, "placement.db")
    with open(path, "wb") as file:
        file.write(_migrated())
    return f"sqlite:///{path}"


@functools.cache
def _migrated():
    """Return the content of a migrated database with the standard names, made once per process.

    No file is kept, because some projects give each test its own temporary directory.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "placement.db")
        database = engine.connect(f"sqlite:///{path}")
        _fill_in(database)
        # The last connection to close merges the write-ahead log into the file.
        database.engine.dispose()
        with open(path, "rb") as file:
            return file.read()


def _fill_in(database):
    """Migrate a Database, and store the standard names in it."""
    with database.patient() as patient:
        migrate.upgrade(patient)
    standard_names.synchronise(database)
