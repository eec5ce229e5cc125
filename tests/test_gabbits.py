"""The stories of tests/gabbits, run against an application in this process.

Each file starts with an empty database, of each kind that is reachable, and every answer is
checked against the OpenAPI document of its microversion. The same files run against a live server
with `make live`.
"""

import re
import sys
import unittest
from fnmatch import fnmatchcase

import os_traits
from gabbi import fixture as gabbi_fixture

from tests import databases, fixtures, stories
from tests.batches import in_batches
from tests.conformance import Conformance

_BATCHES = "batches"


class FreshApplication(gabbi_fixture.GabbiFixture):
    """The application for the requests of one file; a subclass for each kind of database.

    `traits` are the standard ones that the story needs: an older os-traits may lack one.
    """

    kind = None
    traits = frozenset()
    current = None

    def start_fixture(self):
        if unknown := self.traits.difference(os_traits.get_traits()):
            raise unittest.SkipTest(f"os-traits does not have {', '.join(sorted(unknown))}.")
        FreshApplication.current = self._fixture = fixtures.Application(
            self.kind, **stories.OPTIONS
        )
        self._fixture.setUp()

    def stop_fixture(self):
        self._fixture.cleanUp()
        FreshApplication.current = None


class InBatches(FreshApplication):
    """An application that treats each cloud as a large one."""

    kind = "sqlite"

    def start_fixture(self):
        super().start_fixture()
        self._patch = in_batches()
        self._patch.start()

    def stop_fixture(self):
        self._patch.stop()
        super().stop_fixture()


def current_application(environ, start_response):
    """Pass a request to the application of the file that is running."""
    service = FreshApplication.current

    def start(status, headers, exc_info=None):
        if status.startswith("500"):
            # A story has no details: this shows why it fails.
            sys.stderr.write(service.log.output)
        return start_response(status, headers, exc_info)

    return Conformance(service.application)(environ, start)


def load_tests(loader, tests, pattern):
    """Build a test for each request of each file, on each kind of database.

    Stories about candidates are run once more, "on batches". `python -m unittest -k` chooses
    requests; those before them in their stories are made, too.
    """
    everything = loader.suiteClass()
    for path in sorted(stories.STORIES.glob("*.yaml")):
        kinds = databases.reachable()
        if re.search('GET: "?/allocation_candidates', path.read_text()):
            kinds += (_BATCHES,)
        for kind in kinds:
            requests = suite(path.stem, kind)
            everything.addTest(type(requests)(_chosen(requests, loader.testNamePatterns)))
    return everything


def _chosen(requests, patterns):
    """Return the requests of a story: those that match a pattern, or all if `patterns` is None."""
    if patterns is None:
        return list(requests)
    return [each for each in requests if any(fnmatchcase(each.id(), one) for one in patterns)]


def suite(story, kind):
    """Build the tests of one file on one kind of database, or in batches."""
    path = stories.STORIES / f"{story}.yaml"
    needs = {"traits": stories.standard_traits(path)}
    if kind == _BATCHES:
        fixture = type("OnBatches", (InBatches,), needs)
    else:
        fixture = type(f"On{kind.capitalize()}", (FreshApplication,), needs | {"kind": kind})
    requests = stories.suite(path, lambda: current_application, f"{__name__}.on_{kind}")
    for request in requests:
        # gabbi takes the fixtures of a file from its requests; the files do not name any, because
        # they also run where there is nothing to set up.
        request.fixtures = [fixture]
    return requests
