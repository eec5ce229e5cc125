"""Record the examples of the API's description: `make examples`.

They come from stories that are run against fresh applications in this process. One story has every
operation; the first request of each that succeeds is kept, with its answer. Other stories have
refusals; of each documented response, the first occurrence in each media type is kept. A test
compares the recorded examples with new ones.
"""

import datetime
import functools
import json
import os
import re
import tempfile
import threading
import unittest

import fixtures as base_fixtures
import sqlalchemy as sa
import webob
from oslo_utils import fixture as utils_fixture

from placement import exception, microversion, openapi
from placement.db import tables
from placement.db.records import capacity_samples
from placement.db.records.capacity_samples import ClassSums, HourSample
from placement.middleware import version_negotiation
from placement.openapi import examples, responses
from tests import conformance, fixtures, stories

TOUR = stories.STORIES / "a-tour-of-the-api.yaml"
# Stories about the refusals of a resource come before those about a person ("a-", "an-"); each
# group is in the order of its names.
REFUSALS = sorted(
    {*stories.STORIES.glob("*refusals.yaml"), *stories.STORIES.glob("an-operator-*.yaml")},
    key=lambda path: (path.stem.startswith(("a-", "an-")), path.stem),
)

# The time at which everything happens, so that the examples are the same each time.
MOMENT = datetime.datetime(2026, 1, 5, 8, 30)
# In real answers, each request has its own id.
REQUEST_ID = "req-5a3ad0a4-1ed3-4a4c-9e1c-4f2f0c7a51e0"
# Fixed, so that a newer version does not change the recorded refusals.
MAX_VERSION = "1.39"
# Only this many items of a list are kept.
MOST_ITEMS = 6
_VARIABLE = re.compile(r"\{\w+\}")
_JSON = "application/json"
# Its answer is the whole description, which includes the examples.
WITHOUT_ANSWER = {"describe_api"}


def main():
    for path, recorded in ((examples.PATH, record()), (examples.REFUSALS_PATH, record_refusals())):
        path.write_text(json.dumps(recorded, indent=1) + "\n")


def record():
    """Return {name of an operation: {"version", "request", "answer"}}, as in examples.json.

    Raises: AssertionError if the story fails.
    """
    recorder = _Recorder()
    with utils_fixture.TimeFixture(MOMENT):
        _tell(TOUR, recorder)
    return recorder.recorded


def record_refusals():
    """Return {name of an operation or a response: {status: {media type: body}}}.

    This is the content of refusals.json.

    Raises: AssertionError if a story fails.
    """
    recorder = _RecorderOfRefusals()
    with utils_fixture.TimeFixture(MOMENT):
        for story in REFUSALS:
            _tell(story, recorder)
        _refuse_before_the_form_is_known(recorder)
        _refuse_for_want_of_service(recorder)
        _refuse_for_want_of_health(recorder)
        _refuse_while_others_ask(recorder)
    return recorder.recorded


def _tell(story, recorder):
    """Run a story against a fresh application, through a recorder."""
    with fixtures.Application(
        api__docs_page=True, operator__page=True, metrics__flavors=str(stories.FLAVORS)
    ) as service:
        _store_samples(service.database)
        _begin_positions_at(1000, service.database)
        recorder.application = service.application
        suite = stories.suite(story, lambda: recorder)
        result = unittest.TestResult()
        suite.run(result)
    for _, traceback in [*result.failures, *result.errors]:
        raise AssertionError(traceback)


def _store_samples(database):
    """Store how full a cloud was on each of eight days."""
    with database.writer() as conn:
        for day in range(8):
            at = MOMENT.replace(tzinfo=datetime.UTC) - datetime.timedelta(days=7 - day)
            sums = ClassSums("VCPU", 128, 20 + 4 * day, 60 - 2 * day, 0, 2)
            capacity_samples.store(conn, HourSample(at, 2, [sums]))
def _begin_positions_at(position, database):
    """Make the positions of changes independent of when the database was created."""
    with database.writer() as conn:
        conn.execute(sa.update(tables.feed).values(newest=position, dropped=position))


def _refuse_before_the_form_is_known(recorder):
    """Send each request with a mistake that is found before the Accept header is checked.

    Otherwise, few refusals of a GET would be recorded as text.
    """
    with fixtures.Application() as service:
        recorder.application, service.application = service.application, recorder
        for url, path in _document(microversion.MAXIMUM[1])["paths"].items():
            if "get" in path:
                service.ask("GET", _VARIABLE.sub("%0A", url), version="latest")
                service.ask("GET", url, version="oldest")


def _refuse_for_want_of_service(recorder):
    """Send requests that no story can: some are too large, others meet something broken."""
    with fixtures.Application(api__max_request_body_size=2) as service:
        recorder.application, service.application = service.application, recorder
        ask = functools.partial(service.ask, version="latest")
        ask("PUT", "/traits/CUSTOM_A", body=b"too long")
        ask("GET", "/traits", token=None)
        ask("GET", "/allocations/%0A")
        with base_fixtures.MonkeyPatch("placement.objects.trait.ensure", _lose_a_race):
            ask("PUT", "/traits/CUSTOM_A")
        # These are also answered as text, unlike most reads.
        with base_fixtures.MonkeyPatch("placement.objects.trait.ensure", None):
            ask("PUT", "/traits/CUSTOM_A")
        os.unlink(service.database.engine.url.database)
        ask("PUT", "/traits/CUSTOM_A")


def _refuse_for_want_of_health(recorder):
    """Ask for the health of a process that its operator has taken out of service."""
    with (
        tempfile.NamedTemporaryFile() as marker,
        fixtures.Application(healthcheck__backends=["disable_by_file"]) as service,
    ):
        recorder.application, service.application = service.application, recorder
        service.configuration.set_override("disable_by_file_path", marker.name, "healthcheck")
        accepted = {"Accept": "application/json"}
        service.ask("GET", "/healthcheck", version="latest", headers=accepted)


def _refuse_while_others_ask(recorder):
    """Ask for reports and plans while two other clients do, which no story can."""
    nobody_more = base_fixtures.MonkeyPatch(
        "placement.handlers.operator.one_at_a_time._admitted", threading.Semaphore(0)
    )
    with fixtures.Application() as service, nobody_more:
        recorder.application, service.application = service.application, recorder
        for url, path in _document(microversion.MAXIMUM[1])["paths"].items():
            if "429" in path.get("get", {}).get("responses", ()):
                service.ask("GET", url, version="latest")
        service.ask("POST", "/operator/fit", version="latest", POST=b"{}", content_type=_JSON)


def _lose_a_race(*_):
    raise exception.ConcurrentUpdate()


class _Recorder:
    """A WSGI application that passes requests to another, and keeps some in `recorded`."""

    def __init__(self):
        self.recorded = {}

    def __call__(self, environ, start_response):
        request = webob.Request(environ)
        body = request.body
        answer = request.get_response(self.application)
        asked = request.headers.get(version_negotiation.HEADER)
        version = answer.headers.get(version_negotiation.HEADER, asked)
        minor = version_negotiation.negotiated(version).minor
        url = conformance.url_of(minor, request.path_info)
        operation = openapi.document((1, minor))["paths"][url][request.method.lower()]
        name = operation["operationId"]
        if answer.status_int < 300:
            recorded = _example(f"1.{minor}", request, body, answer)
            if name in WITHOUT_ANSWER:
                recorded["answer"].pop("body")
            self.recorded.setdefault(name, recorded)
        return answer(environ, start_response)


class _RecorderOfRefusals:
    """The same for errors: keeps each error response of an operation in its newest version."""

    def __init__(self):
        self.recorded = {}

    def __call__(self, environ, start_response):
        request = webob.Request(environ)
        request.make_body_seekable()
        answer = request.get_response(self.application)
        if answer.status_int >= 400 and answer.content_type == "application/json":
            self._keep(request, answer)
        return answer(environ, start_response)

    def _keep(self, request, answer):
        minor = _requested_minor(request)
        operation = _operation(minor, request)
        if operation is None or minor < _newest_minors()[operation["operationId"]]:
            return
        response = operation["responses"].get(str(answer.status_int))
        if not response:
            return
        shared = response.get("$ref")
        name = shared.rpartition("/")[2] if shared else operation["operationId"]
        forms = self.recorded.setdefault(name, {}).setdefault(str(answer.status_int), {})
        if len(forms) <= len(responses.AS_TEXT):
            for media_type, body in self._forms(request, answer).items():
                forms.setdefault(media_type, body)

    def _forms(self, request, answer):
        """Return {media type: body}: the forms in which a client can get this answer."""
        body = answer.json
        for error in body.get("errors", ()):
            error["request_id"] = REQUEST_ID
            if "max_version" in error:
                error["max_version"] = MAX_VERSION
        forms = {answer.content_type: body}
        for media_type in responses.AS_TEXT:
            # Each is tried alone and together with JSON: a client that accepts no JSON may only get
            # a 406.
            for accepted in (media_type, f"{media_type}, application/json;q=0.1"):
                again = request.copy()
                again.accept = accepted
                other = again.get_response(self.application)
                if (other.status, other.content_type) == (answer.status, media_type):
                    forms.setdefault(media_type, other.text)
        return forms


def _requested_minor(request):
    """Return the minor of the requested version, or the newest if that version does not exist."""
    asked = request.headers.get(version_negotiation.HEADER, "")
    if not asked and request.path_info.startswith(version_negotiation.UNVERSIONED):
        return microversion.MAXIMUM[1]
    try:
        return version_negotiation.negotiated(asked).minor
    except (ValueError, TypeError):
        return microversion.MAXIMUM[1]


def _operation(minor, request):
    """Return the operation that a request of a version is for, or None."""
    url = conformance.url_of(minor, request.path_info)
    return _document(minor)["paths"].get(url, {}).get(request.method.lower())


@functools.cache
def _document(minor):
    return openapi.document((1, minor))


@functools.cache
def _newest_minors():
    """Return {name of an operation: the minor of the newest version that has it}."""
    return {
        operation["operationId"]: minor
        for _, minor in openapi.VERSIONS
        for path in _document(minor)["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    }


def _example(version, request, body, answer):
    example = {
        "version": version,
        "request": {"method": request.method, "url": request.path_qs},
        "answer": {"status": answer.status},
    }
    if body:
        example["request"]["body"] = json.loads(body)
    if answer.body:
        example["answer"]["body"] = _abridged(answer.json)
    return example


def _abridged(value):
    if isinstance(value, list):
        return [_abridged(each) for each in value[:MOST_ITEMS]]
    if isinstance(value, dict):
        return {
            key: REQUEST_ID if key == "request_id" else _abridged(each)
            for key, each in value.items()
        }
    return value


if __name__ == "__main__":
    main()
