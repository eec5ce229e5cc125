"""A difference that is planted in one of two services is found, and shown with few requests."""

import argparse
import re
import shlex

import fixtures as base_fixtures
import testtools
import webob
from wsgi_intercept.interceptor import RequestsInterceptor

from placement import errors
from tests import fixtures
from tests.deployed.beside_peer import clearing, cloud, runs
from tests.deployed.beside_peer.answers import Server, Step
from tests.deployed.beside_peer.comparison import Comparison, Difference
from tests.deployed.beside_peer.shortest import shortest
from tests.deployed.beside_peer.tally import Tally

STEPS = 500
ENOUGH = 10_000
# With this seed, both differences are found within seconds.
SEED = 3
URLS = "http://ours.test", "http://theirs.test"
REQUEST_ID = re.compile("req-[0-9a-f-]{36}")
GENERATION = re.compile(r'"consumer_generation":\s*\d+')


class CountsNoClaims:
    """Middleware: every answer about a consumer says that its generation is 0."""

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        answer = webob.Request(environ).get_response(self._application)
        answer.text = GENERATION.sub('"consumer_generation":0', answer.text)
        return answer(environ, start_response)


class RefusesWithoutCode:
    """Middleware: a name or UUID that is taken has no code of its own."""

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        answer = webob.Request(environ).get_response(self._application)
        answer.text = answer.text.replace(errors.DUPLICATE_NAME, errors.UNDEFINED)
        return answer(environ, start_response)


class PlantedDifference(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in ("http_proxy", "https_proxy"):
            self.useFixture(base_fixtures.EnvironmentVariable(name))
        # The search prints its progress, and hypothesis prints details of a run that fails.
        stream = self.useFixture(base_fixtures.StringStream("stdout")).stream
        self.useFixture(base_fixtures.MonkeyPatch("sys.stdout", stream))
        self._ours, self._theirs = (self._application() for _ in URLS)

    def _application(self):
        return self.useFixture(fixtures.Application()).application

    def _search(self, wrapped, steps=ENOUGH):
        """Search for differences between our service and another one that is `wrapped`."""
        tally = Tally()
        runs.search(self._comparison(wrapped, tally), tally, steps, SEED)
        return tally

    def _lines(self, wrapped):
        """Return the lines of the report about a difference."""
        found = self.assertRaises(Difference, self._search, wrapped)
        *requests, ours, theirs = str(found).splitlines()
        self.assertNotEqual(ours.split(":", 1)[1], theirs.split(":", 1)[1])
        return requests

    def _comparison(self, wrapped, tally):
        """Return the Comparison of our service and another one that is `wrapped`."""
        self._theirs = wrapped(self._theirs)
        servers = []
        for url, application in zip(URLS, (self._ours, self._theirs), strict=True):
            interceptor = RequestsInterceptor(lambda it=application: it, url=url)
            interceptor.install_intercept()
            self.addCleanup(interceptor.uninstall_intercept)
            servers.append(Server(url))
            self.addCleanup(servers[-1].close)
        return Comparison(*servers, "sqlite", tally)

    def test_equal_services_do_not_differ(self):
        tally = self._search(lambda application: application, STEPS)
        self.assertGreaterEqual(tally.steps, STEPS)

    def test_a_difference_deep_in_the_state_takes_a_few_requests(self):
        """The requests create a class, a provider, its inventory and a claim, and then ask."""
        lines = self._lines(CountsNoClaims)
        self.assertLessEqual(len(lines), 5, "\n".join(lines))
        self._assert_differ(lines)

    def test_steps_that_raised_a_generation_are_left_out(self):
        """Later steps then send the generation that is left."""
        comparison = self._comparison(CountsNoClaims, Tally())
        steps = _steps_with_generations()
        found = self.assertRaises(Difference, self._ask_all, comparison, steps)
        clearing.clear(comparison, steps)
        methods = [step.method for step in shortest(found, comparison).steps]
        self.assertEqual(["POST", "PUT", "PUT", "GET"], methods)

    def _ask_all(self, comparison, steps):
        for number in range(len(steps)):
            comparison.ask(steps[: number + 1])

    def test_a_difference_in_a_code_alone_is_found(self):
        """Two providers get the same name: when the second is created, or when it is renamed."""
        lines = self._lines(RefusesWithoutCode)
        self.assertLessEqual(len(lines), 3, "\n".join(lines))
        self._assert_differ(lines)

    def _assert_differ(self, lines):
        """Check that only the last of some lines for a shell gets different answers."""
        services = self._ours, self._theirs
        ours, theirs = ([_sent(line, each) for line in lines] for each in services)
        same = [one == other for one, other in zip(ours, theirs, strict=True)]
        self.assertEqual([*[True] * (len(lines) - 1), False], same, "\n".join(lines))


def _steps_with_generations():
    """Return steps of which two change traits, before an inventory, a claim and a look at it."""
    provider, consumer = cloud.PROVIDERS[0], cloud.new_consumer()
    claimed = {provider: {"DISK_GB": 1}}
    claim = cloud.claim(cloud.NEWEST, claimed, None, "project", "user", "INSTANCE")
    inventories = {"DISK_GB": {"total": 8}}
    of_provider, of_consumer = "/resource_providers/{uuid}", "/allocations/{consumer_uuid}"
    requests = [
        ("POST", "/resource_providers", {"name": "host", "uuid": provider}),
        ("PUT", f"{of_provider}/traits", _replacement(0, traits=["MISC_SHARES_VIA_AGGREGATE"])),
        ("PUT", f"{of_provider}/traits", _replacement(1, traits=[])),
        ("PUT", f"{of_provider}/inventories", _replacement(2, inventories=inventories)),
        ("PUT", of_consumer, claim),
        ("GET", of_consumer, None),
    ]
    return [
        Step(method, route, route.format(uuid=provider, consumer_uuid=consumer), cloud.NEWEST, body)
        for method, route, body in requests
    ]


def _replacement(generation, **replaced):
    return {"resource_provider_generation": generation} | replaced


def _sent(line, application):
    """Send what curl would, and return the answer without its request id."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-X")
    parser.add_argument("-H", action="append")
    parser.add_argument("-d", default="")
    parser.add_argument("url")
    words = [word for word in shlex.split(line) if word not in ("curl", "-i")]
    options = parser.parse_args(words)
    answer = webob.Request.blank(
        options.url.removeprefix("$URL"),
        method=options.X,
        headers=dict(header.split(": ", 1) for header in options.H),
        body=options.d.encode(),
    ).get_response(application)
    return answer.status, REQUEST_ID.sub("", answer.text)
