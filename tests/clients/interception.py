"""An application that clients built on `requests` find at a URL, without a socket."""

import os

import fixtures as base_fixtures
import testtools
from keystoneauth1 import session, token_endpoint
from wsgi_intercept.interceptor import RequestsInterceptor

from tests import fixtures

URL = "http://placement.test"


class InterceptedApplication(base_fixtures.Fixture):
    """Everything that is sent to URL goes to an application with an empty database.

    Proxies configured on the machine that runs the tests have no effect.
    """

    def _setUp(self):
        for name in os.environ:
            if name.lower() in ("http_proxy", "https_proxy"):
                self.useFixture(base_fixtures.EnvironmentVariable(name))
        self.useFixture(base_fixtures.EnvironmentVariable("OS_CLIENT_CONFIG_FILE", os.devnull))
        application = self.useFixture(fixtures.Application()).application
        interceptor = RequestsInterceptor(lambda: application, url=URL)
        interceptor.install_intercept()
        self.addCleanup(interceptor.uninstall_intercept)


class ClientTest(testtools.TestCase):
    """A test with an application at URL, whose database is empty."""

    def setUp(self):
        super().setUp()
        self.useFixture(InterceptedApplication())

    def session_of(self, token):
        """A keystoneauth session of a client that already has a token and the URL."""
        return session.Session(auth=token_endpoint.Token(URL, token))
