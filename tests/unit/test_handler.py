"""From a request to its handler."""

from unittest import mock

import testtools
import webob
import webob.exc
from oslo_db import exception as db_exc

from placement import handler, policy
from placement.environ import CONTEXT, MICROVERSION, REQUEST_ID
from placement.handlers import resource_class
from placement.handlers.answering.response import respond
from placement.handlers.requests import preconditions
from placement.microversion import Since
from placement.middleware.fault_wrap import ExpectedFaults
from placement.middleware.identity import RequestContext
from placement.middleware.version_negotiation import negotiated
from tests import fixtures


def echo(req):
    return respond(200, {"uuid": req.path_variable("uuid")})


@preconditions.available_since(Since.TRAITS)
@preconditions.answer_is_json
@preconditions.authorized("placement:traits:list")
def read(req):
    return respond(200, {})


@preconditions.available_since(Since.DELETE_ALL_INVENTORIES, webob.exc.HTTPMethodNotAllowed)
@preconditions.body_is_json
@preconditions.authorized("placement:usages", project_id=lambda req: req.GET.get("project_id"))
def write(req):
    return respond(204)


class Dispatching(testtools.TestCase):
    def ask(self, method, path, declarations, version="latest", roles=("admin",), **options):
        conf = fixtures.configuration()
        dispatcher = handler.Dispatcher(conf, None, policy.Policy(conf), declarations=declarations)
        environ = {
            MICROVERSION: negotiated(f"placement {version}"),
            CONTEXT: RequestContext("token", "user", "own", roles=roles, overwrite=False),
            REQUEST_ID: "req-1",
            "HTTP_ACCEPT": "application/json",
        }
        options["environ"] = environ | options.get("environ", {})
        application = ExpectedFaults(dispatcher)
        return webob.Request.blank(path, method=method, **options).get_response(application)

    def test_a_variable_is_one_segment_of_the_path(self):
        routes = {"/resource_providers/{uuid}/usages": {"GET": echo}}
        answer = self.ask("GET", "/resource_providers/a%20b+c/usages", routes)
        self.assertEqual({"uuid": "a b+c"}, answer.json)
        for path in [
            "/resource_providers/a/usages/",
            "/resource_providers//usages",
            "/resource_providers/a%2Fb/usages",
            "/Resource_providers/a/usages",
            "/resource_providers/a/usages/b",
            "/resource_providers/a",
            "//",
        ]:
            self.assertEqual(404, self.ask("GET", path, routes).status_int, path)

    def test_an_unsupported_method_is_answered_with_the_supported_ones(self):
        for method in ["PATCH", "HEAD", "OPTIONS", "POST"]:
            answer = self.ask(method, "/x", {"/x": {"GET": echo, "PUT": echo}})
            self.assertEqual((405, "GET, PUT"), (answer.status_int, answer.headers["Allow"]))

    def test_a_405_names_the_method(self):
        answer = self.ask("PATCH", "/x", {"/x": {"GET": echo}})
        detail = answer.json["errors"][0]["detail"]
        self.assertIn("The method PATCH is not allowed for this resource.", detail)
        self.assertIn("The method specified is not allowed for this resource.", detail)

    def test_a_body_must_be_described_for_every_handler(self):
        routes = {"/x": {"GET": read}}
        for path in ["/x", "/nowhere"]:
            answer = self.ask("GET", path, routes, body=b"{}")
            self.assertEqual(400, answer.status_int)
            self.assertIn("content-type header required", answer.text)
        answer = self.ask("GET", "/x", routes, environ={"CONTENT_LENGTH": "many"})
        self.assertEqual(400, answer.status_int)
        self.assertIn("content-length header must be an integer", answer.text)
        # Some servers pass this on for a request without a body.
        answer = self.ask("GET", "/x", routes, environ={"CONTENT_LENGTH": ""})
        self.assertEqual(200, answer.status_int)
        answer = self.ask("GET", "/x", routes, body=b"{}", content_type="text/plain")
        self.assertEqual(200, answer.status_int)

    def test_an_old_version_does_not_know_a_new_resource(self):
        routes = {"/x": {"GET": read, "POST": write}}
        self.assertEqual(404, self.ask("GET", "/x", routes, version="1.5").status_int)
        self.assertEqual(200, self.ask("GET", "/x", routes, version="1.6").status_int)
        self.assertEqual(405, self.ask("POST", "/x", routes, version="1.4").status_int)

    def test_a_body_must_be_json(self):
        routes = {"/x": {"POST": write}}
        for content_type, said in [
            ("text/plain", "The media type text/plain is not supported, use application/json"),
            (None, "The media type None is not supported, use application/json"),
        ]:
            environ = {} if content_type is None else {"CONTENT_TYPE": content_type}
            answer = self.ask("POST", "/x", routes, environ=environ)
            self.assertEqual(415, answer.status_int)
            self.assertIn(said, answer.json["errors"][0]["detail"])
            # webob's sentence, which quotes the header, is complete even without a header.
            self.assertNotIn("${", answer.json["errors"][0]["detail"])
        environ = {"CONTENT_TYPE": "application/json; charset=latin-1"}
        self.assertEqual(204, self.ask("POST", "/x", routes, environ=environ).status_int)

    def test_an_answer_must_be_accepted(self):
        for accept, status in [
            ("application/json", 200),
            ("application/*", 200),
            ("text/html,*/*;q=0.1", 200),
            ("garbage", 200),
            ("text/html", 406),
            ("application/json;q=0", 406),
            ("application/json; charset=utf-8", 406),
        ]:
            answer = self.ask("GET", "/x", {"/x": {"GET": read}}, environ={"HTTP_ACCEPT": accept})
            self.assertEqual(status, answer.status_int, accept)

    def test_checks_run_in_the_order_in_which_they_are_written(self):
        routes = {"/x": {"GET": read, "POST": write}}
        no_roles = {"roles": ()}
        html = {"environ": {"HTTP_ACCEPT": "text/html"}}
        self.assertEqual(404, self.ask("GET", "/x", routes, "1.0", **no_roles, **html).status_int)
        self.assertEqual(406, self.ask("GET", "/x", routes, **no_roles, **html).status_int)
        self.assertEqual(403, self.ask("GET", "/x", routes, **no_roles).status_int)
        self.assertEqual(415, self.ask("POST", "/x", routes, **no_roles).status_int)

    def test_a_body_is_read_only_if_its_sender_is_authorized(self):
        unread = mock.Mock(spec=["read"])
        environ = {"CONTENT_LENGTH": "2", "wsgi.input": unread}
        expecting = {
            (url, method, "1.2" if handle is resource_class.update else "latest")
            for url, methods in handler.ROUTE_DECLARATIONS.items()
            for method, handle in methods.items()
            if hasattr(handle, "takes_json") or handle is resource_class.update
        }
        self.assertIn(("/reshaper", "POST", "latest"), expecting)
        for url, method, version in expecting:
            answer = self.ask(
                method,
                url.format(uuid="a", name="a", consumer_uuid="a", resource_class="a"),
                handler.ROUTE_DECLARATIONS,
                version=version,
                roles=(),
                content_type="application/json",
                environ=environ,
            )
            self.assertEqual(403, answer.status_int, (url, method))
        unread.read.assert_not_called()

    def test_a_rule_may_apply_to_another_project_than_that_of_the_caller(self):
        routes = {"/x": {"POST": write}}
        for path, status in [("/x?project_id=own", 204), ("/x?project_id=a", 403), ("/x", 403)]:
            answer = self.ask(
                "POST", path, routes, roles=("reader",), content_type="application/json"
            )
            self.assertEqual(status, answer.status_int, path)

    def test_a_denied_caller_learns_the_rule(self):
        answer = self.ask("GET", "/x", {"/x": {"GET": read}}, roles=("member",))
        [error] = answer.json["errors"]
        self.assertEqual((403, "Forbidden"), (error["status"], error["title"]))
        self.assertIn(
            "Policy does not allow placement:traits:list to be performed.", error["detail"]
        )

    def test_a_handler_is_called_again_when_another_writer_won(self):
        calls = []

        def third_time_lucky(req):
            calls.append(req)
            if len(calls) < 3:
                raise db_exc.DBDeadlock()
            return respond(204)

        answer = self.ask("GET", "/x", {"/x": {"GET": third_time_lucky}})
        self.assertEqual((204, 3), (answer.status_int, len(calls)))
