"""Bodies of writes to a provider are parsed before the service waits for SQLite's only lock."""

import json

import testtools

from tests import fixtures

HOST = "10000000-0000-4000-8000-000000000001"
NOWHERE = "10000000-0000-4000-8000-000000000002"
WRITES = [
    ("PUT", "/resource_providers/{}"),
    ("PUT", "/resource_providers/{}/aggregates"),
    ("POST", "/resource_providers/{}/inventories"),
    ("PUT", "/resource_providers/{}/inventories"),
    ("PUT", "/resource_providers/{}/inventories/VCPU"),
]


class WhileAnotherWritesTest(testtools.TestCase):
    """A handler that took the lock first would wait for it in vain, and answer 503."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())
        host = json.dumps({"name": "host", "uuid": HOST})
        self.send("POST", "/resource_providers", host)

    def send(self, method, path, text):
        return self.service.ask(
            method, path, "latest", text=text, content_type="application/json"
        )

    def statuses(self, uuid, text):
        with self.service.database.writer():
            return [
                self.send(method, path.format(uuid), text).status_int for method, path in WRITES
            ]

    def test_a_body_that_is_not_json_is_refused_without_waiting_for_the_writer(self):
        self.assertEqual([400] * len(WRITES), self.statuses(HOST, "{"))

    def test_a_body_that_the_schema_refuses_is_refused_without_waiting_for_the_writer(self):
        self.assertEqual([400] * len(WRITES), self.statuses(HOST, "{}"))

    def test_a_provider_that_does_not_exist_is_reported_before_its_body(self):
        self.assertEqual([404] * len(WRITES), self.statuses(NOWHERE, "{}"))
