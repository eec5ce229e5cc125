"""An application for one test."""

import fixtures
import webob

from placement import conf, deploy
from tests import databases, server


def configuration(**overrides):
    """Return the ConfigOpts of a service with noauth2, without this machine's configuration files.

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


class Application(fixtures.Fixture):
    """The whole application over a fresh database, configured as in `configuration`.

    `kind` is the kind of the database, one of databases.reachable().

    application    a WSGI callable
    configuration  its ConfigOpts
    database       a placement.db.engine.Database
    log            the log of the FreshDatabase
    exporter       serves the metrics; None unless they are enabled
    """

    def __init__(self, kind="sqlite", **overrides):
        super().__init__()
        self._kind = kind
        self._overrides = overrides

    def _setUp(self):
        fresh = self.useFixture(databases.FreshDatabase(self._kind))
        self.database, self.log = fresh.database, fresh.log
        self.configuration = configuration(
            placement_database__connection=fresh.url, **self._overrides
        )
        self.serve(self.database)

    def serve(self, database):
        """From now on, serve another Database."""
        self.exporter = None
        if self.configuration.metrics.enabled:
            listen = f"127.0.0.1:{server.free_port()}"
            self.configuration.set_override("listen", listen, group="metrics")
            self.exporter = deploy.exporter_of(self.configuration, database)
            self.addCleanup(self.exporter.end)
        self.application = deploy.compose(self.configuration, database, exporter=self.exporter)

    def scrape(self):
        """Return the text that Prometheus would get."""
        length, _, chunks = self.exporter.answer()
        text = b"".join(chunks)
        assert length == len(text)
        return text.decode()

    def ask(self, method, path, version=None, token="admin", **options):
        """Send one request and return the webob.Response.

        `version` is a microversion, None for none; `options` are passed to webob's Request.blank,
        except that `headers` are added to the headers for the version and the token.
        """
        headers = {}
        if token is not None:
            headers["X-Auth-Token"] = token
        if version is not None:
            headers["OpenStack-API-Version"] = f"placement {version}"
        headers |= options.pop("headers", {})
        request = webob.Request.blank(path, method=method, headers=headers, **options)
        return request.get_response(self.application)
