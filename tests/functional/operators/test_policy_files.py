"""The policy file of a running service, and what its operators learn about it."""

import pathlib

import fixtures as base_fixtures
import testtools

from placement.middleware import health
from tests import fixtures

READABLE = "placement_policy_unreadable 0.0"
UNREADABLE = "placement_policy_unreadable 1.0"


class PolicyFiles(testtools.TestCase):
    """If a test fails, nobody notices that a service does not use the rules in its files."""

    def setUp(self):
        super().setUp()
        self.file = pathlib.Path(self.useFixture(base_fixtures.TempDir()).path, "policy.yaml")
        self.seconds = self.useFixture(
            base_fixtures.MockPatch("time.monotonic", return_value=1000.0)
        ).mock

    def service(self, rules):
        self.file.write_text(rules)
        return self.useFixture(
            fixtures.Application(oslo_policy__policy_file=str(self.file), metrics__enabled=True)
        )

    def test_a_policy_file_with_an_error_is_logged_and_the_old_rules_apply(self):
        for content in ("{", '"placement:traits:list": "((("', '{"any": "rule:nope"}'):
            self.check_slip(content)

    def check_slip(self, content):
        service = self.service('"placement:resource_providers:list": "role:member"')
        member = {"headers": {"X-Roles": "member"}, "token": "somebody"}
        self.assertEqual("", service.ask("GET", health.PATH).text)
        self.assertIn(READABLE, service.scrape())
        self.file.write_text(content)
        self.seconds.return_value += 1
        self.assertEqual(200, service.ask("GET", "/resource_providers", **member).status_int)
        self.assertEqual(403, service.ask("GET", "/resource_providers").status_int)
        answer = service.ask("GET", health.PATH)
        self.assertEqual((200, health.OLD_RULES), (answer.status_int, answer.text))
        self.assertIn(UNREADABLE, service.scrape())
        self.file.write_text("{}")
        self.seconds.return_value += 1
        self.assertEqual("", service.ask("GET", health.PATH).text)
        self.assertEqual(200, service.ask("GET", "/resource_providers").status_int)
        self.assertIn(READABLE, service.scrape())

    def test_a_remote_check_without_an_answer_is_a_503(self):
        service = self.service('"placement:resource_providers:list": "http://127.0.0.1:1/"')
        answer = service.ask("GET", "/resource_providers", "latest")
        self.assertEqual(503, answer.status_int)
        self.assertEqual("5", answer.headers["Retry-After"])
        self.assertIn("whether policy allows this", answer.json["errors"][0]["detail"])
        self.assertEqual(200, service.ask("GET", "/traits", "latest").status_int)
