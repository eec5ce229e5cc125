"""What the commands print if another service or none answers: one line, with status 1."""

import json
import pathlib

import fixtures as base_fixtures
from oslo_db import exception as db_exc

from tests.clients import interception, openstack_shell

MIX = pathlib.Path(__file__).with_name("mix.txt")
COMMANDS = (
    "allocation candidate explain --resource VCPU=1",
    "allocation candidate fit --resource VCPU=1",
    "resource provider capacity",
    "resource provider whole list",
    "resource provider capacity history",
    "resource provider evacuation show host",
    "allocation candidate release show --resource VCPU=1",
    f"allocation candidate fit mix {MIX}",
    "placement audit",
    "placement change list",
    "placement find host",
    "placement survival show",
)


class Service:
    """A WSGI application with the same answer to everything, except the versions at the root."""

    def __init__(self, status, body, media_type="application/json"):
        self._status = status
        self._body = body.encode()
        self._media_type = media_type

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] == "/":
            start_response("200 OK", [("Content-Type", "application/json")])
            return [b'{"versions": []}']
        start_response(self._status, [("Content-Type", self._media_type)])
        return [self._body]


class OtherService(openstack_shell.ShellTest):
    def refusals(self):
        """Return what each command says, which is one line."""
        for command in COMMANDS:
            for microversion in (None, "1.39"):
                status, output, errors = self.type(command, microversion)
                self.assertEqual((1, ""), (status, output))
                [line] = errors.splitlines()
                yield line


class Peer(OtherService):
    # This is the answer of openstack-placement 16, and of any service that does not know the path.
    application = Service(
        "404 Not Found",
        json.dumps(
            {
                "errors": [
                    {
                        "status": 404,
                        "title": "Not Found",
                        "detail": "The resource could not be found.\n\n   ",
                    }
                ]
            }
        ),
    )

    def test_each_command_says_which_service_it_needs(self):
        for line in self.refusals():
            self.assertRegex(
                line,
                rf"^{interception.URL}/operator/[a-z/]+ does not exist\. This command needs "
                r"placement-server: .*openstack-placement.* \(HTTP 404\)$",
            )


class Proxy(OtherService):
    application = Service("502 Bad Gateway", "<html>No server is available</html>", "text/html")

    def test_the_status_of_a_proxy_is_reported_with_the_url(self):
        for line in self.refusals():
            self.assertRegex(line, r"^Bad Gateway, from http://.* \(HTTP 502\)$")


class Keystone(OtherService):
    application = Service("401 Unauthorized", '{"error": {"code": 401, "title": "Unauthorized"}}')

    def test_a_document_of_another_kind_is_not_read(self):
        for line in self.refusals():
            self.assertRegex(line, r"^Unauthorized, from http://.* \(HTTP 401\)$")


class Portal(OtherService):
    application = Service("200 OK", "<html>Please sign in</html>", "text/html")

    def test_an_answer_that_is_not_json_is_reported(self):
        for line in self.refusals():
            self.assertRegex(line, r"^The answer of http://.* is not JSON \(HTTP 200\)$")


class WithoutDatabase(openstack_shell.ShellTest):
    def test_a_lost_database_is_reported_with_the_time_to_wait_and_the_id_of_the_request(self):
        def fail(conn):
            raise db_exc.DBConnectionError()

        self.useFixture(base_fixtures.MonkeyPatch("placement.objects.ledger_audit.audit", fail))
        status, output, errors = self.type("placement audit")
        self.assertEqual((1, ""), (status, output))
        self.assertRegex(
            errors.splitlines()[-1],
            r"^.*database.* Try again in \d+ seconds\. The id of the request is req-\S+\. "
            r"\(HTTP 503\)$",
        )
