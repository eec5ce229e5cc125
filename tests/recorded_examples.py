"""Record the examples of the API's description: `make examples`.

They are from a story that has every operation, run against a fresh application in this process. Of
each operation, the first request that succeeds is kept, with its answer. A test compares what was
recorded with what is recorded anew.
"""

import datetime
import json
import os
import unittest
import uuid

import webob
from gabbi import handlers, suitemaker, utils
from oslo_utils import fixture as utils_fixture

from placement import openapi
from placement.middleware import negotiation
from placement.openapi import examples
from tests import conformance, fixtures

STORY = os.path.join(os.path.dirname(__file__), "gabbits", "a-tour-of-the-api.yaml")

# When all of it happens: the examples are the same each time.
MOMENT = datetime.datetime(2026, 1, 5, 8, 30)
# Of longer lists, no more is kept.
MOST_ITEMS = 6
# What it answers is as long as this description, of which the examples are a part.
WITHOUT_ANSWER = {"describe_api"}


def main():
    examples.PATH.write_text(json.dumps(record(), indent=1) + "\n")


def record():
    """Return {name of an operation: {"version", "request", "answer"}}, as in examples.json.

    Raises: AssertionError if the story fails.
    """
    recorder = _Recorder()
    moment = utils_fixture.TimeFixture(MOMENT)
    with moment, fixtures.Application(api__docs_page=True) as service:
        recorder.application = service.application
        story = suitemaker.test_suite_from_dict(
            unittest.TestLoader(),
            "story",
            utils.load_yaml(yaml_file=STORY),
            os.path.dirname(STORY),
            str(uuid.uuid4()),
            None,
            None,
            lambda: recorder,
            handlers=[handler() for handler in handlers.RESPONSE_HANDLERS],
        )
        result = unittest.TestResult()
        story.run(result)
    for _, traceback in [*result.failures, *result.errors]:
        raise AssertionError(traceback)
    return recorder.recorded


class _Recorder:
    """A WSGI application that passes requests to another, and keeps some in `recorded`."""

    def __init__(self):
        self.recorded = {}

    def __call__(self, environ, start_response):
        request = webob.Request(environ)
        body = request.body
        answer = request.get_response(self.application)
        version = request.headers.get(negotiation.HEADER)
        minor = negotiation.negotiated(answer.headers.get(negotiation.HEADER, version)).minor
        url = conformance.url_of(minor, request.path_info)
        operation = openapi.document((1, minor))["paths"][url][request.method.lower()]
        name = operation["operationId"]
        if answer.status_int < 300:
            recorded = _example(f"1.{minor}", request, body, answer)
            if name in WITHOUT_ANSWER:
                recorded["answer"].pop("body")
            self.recorded.setdefault(name, recorded)
        return answer(environ, start_response)


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
        return {key: _abridged(each) for key, each in value.items()}
    return value


if __name__ == "__main__":
    main()
