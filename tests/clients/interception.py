"""Make an application answer at a URL, without a socket, for clients that use `requests`."""

import os

import fixtures as base_fixtures
import testtools
from keystoneauth1 import session, token_endpoint
from wsgi_intercept.interceptor import RequestsInterceptor

from tests import fixtures

URL = "http://placement.test"


class InterceptedApplication(base_fixtures.Fixture):
    """Everything that is sent to URL goes to `application`, or to one with an empty database.

    Proxies configured on the machine that runs the tests have no effect.
    """

    def __init__(self, application=None):
        super().__init__()
        self._application = application

    def _setUp(self):
        for name in os.environ:
            if name.lower() in ("http_proxy", "https_proxy"):
                self.useFixture(base_fixtures.EnvironmentVariable(name))
        self.useFixture(base_fixtures.EnvironmentVariable("OS_CLIENT_CONFIG_FILE", os.devnull))
        application = self._application or self.useFixture(fixtures.Application()).application
        interceptor = RequestsInterceptor(lambda: application, url=URL)
        interceptor.install_intercept()
        self.addCleanup(interceptor.uninstall_intercept)


class ClientTest(testtools.TestCase):
    """A test with `application` at URL, by default ours with an empty database."""

    application = None

    def setUp(self):
        super().setUp()
        self.useFixture(InterceptedApplication(self.application))

    def session_of(self, token):
        """A keystoneauth session of a client that already has a token and the URL."""
        return session.Session(auth=token_endpoint.Token(URL, token))
