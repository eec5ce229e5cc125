"""A database and an application for one test."""

import functools
import os
import shutil
import tempfile

import fixtures
import webob

from placement import conf, deploy
from placement.db import engine, schema, sync


def configuration(**overrides):
    """Return the ConfigOpts of a service with noauth2, whatever this machine's files say.

    `overrides` are values by "group__option".
    """
    result = conf.registered()
    values = {
        "api__auth_strategy": "noauth2",
        "oslo_policy__policy_file": "/nonexistent/policy.yaml",
        "oslo_policy__policy_dirs": [],
        "placement_database__connection": "sqlite://",
    }
    for name, value in (values | overrides).items():
        group, option = name.split("__")
        result.set_override(option, value, group=group)
    result([], project="placement", default_config_files=[], default_config_dirs=[])
    return result


@functools.cache
def _template():
    """A directory with a migrated SQLite database, made once in this process."""
    directory = tempfile.TemporaryDirectory(prefix="placement-tests-")
    database = engine.connect(f"sqlite:///{directory.name}/placement.db")
    schema.upgrade(database)
    sync.synchronise(database)
    # The last connection to go merges the write-ahead log into the file.
    database.engine.dispose()
    return directory


class FreshDatabase(fixtures.Fixture):
    """A SQLite database with the standard classes and traits, and nothing else.

    Attributes: url, and database, a placement.db.engine.Database.
    """

    def _setUp(self):
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, "placement.db")
        shutil.copy(os.path.join(_template().name, "placement.db"), path)
        self.url = f"sqlite:///{path}"
        # What a crash of the machine would leave behind is no concern of a test.
        self.database = engine.connect(self.url, sqlite_synchronous=False)
        self.addCleanup(self.database.engine.dispose)


class Application(fixtures.Fixture):
    """The whole application over a fresh database, configured as in `configuration`.

    Attributes: application, a WSGI callable; configuration; database.
    """

    def __init__(self, **overrides):
        super().__init__()
        self._overrides = overrides

    def _setUp(self):
        fresh = self.useFixture(FreshDatabase())
        self.database = fresh.database
        self.configuration = configuration(
            placement_database__connection=fresh.url, **self._overrides
        )
        self.application = deploy.compose(self.configuration, self.database)

    def ask(self, method, path, version=None, token="admin", **options):
        """Send one request and return the webob.Response.

        `version` is a microversion, None for none; `options` are those of webob's
        Request.blank, with `headers` added to those that version and token make.
        """
        headers = {}
        if token is not None:
            headers["X-Auth-Token"] = token
        if version is not None:
            headers["OpenStack-API-Version"] = f"placement {version}"
        headers |= options.pop("headers", {})
        request = webob.Request.blank(path, method=method, headers=headers, **options)
        return request.get_response(self.application)
