"""The OpenAPI documents of all versions."""

import collections
import contextlib
import io
import json
import os
import re
import string
import subprocess
import sys

import fixtures as base_fixtures
import testtools
import webob
from openapi_spec_validator import OpenAPIV31SpecValidator
from oslo_db import exception as db_exc

from placement import errors, exception, microversion, openapi
from placement.cmd import manage
from placement.handler import ROUTE_DECLARATIONS
from placement.handlers.operator import providers
from placement.middleware import fault_wrap, health
from placement.objects import inventory
from placement.openapi import operations, refusals, routes
from placement.policies import public
from placement.web import description
from tests import conformance, fixtures
from tests.unit.openapi.documents import operations_of, schemas_in

# The change of each of these versions cannot be seen in a schema, a parameter or a status.
NOT_IN_THE_DOCUMENT = {
    (1, 26): "the bounds of an inventory depend on each other",
    (1, 27): "which classes of a provider are summarised",
    (1, 37): "which parents a provider may be given",
}


class Documents(testtools.TestCase):
    def test_the_oldest_and_the_newest_document_are_valid(self):
        for version in (microversion.MINIMUM, microversion.MAXIMUM):
            violations = OpenAPIV31SpecValidator(openapi.document(version)).iter_errors()
            self.assertEqual([], list(violations), version)

    def test_every_operation_has_a_unique_name(self):
        names = collections.Counter(
            operation["operationId"]
            for _, _, operation in operations_of(openapi.document())
        )
        self.assertEqual({1}, set(names.values()))

    def test_what_needs_no_token_is_described_so_and_everything_else_names_its_rule(self):
        for method, url, operation in operations_of(openapi.document()):
            needs_token = not public.is_public(url) and url != health.PATH
            self.assertEqual(None if needs_token else [], operation.get("security"), url)
            rule = operation.get("x-policy-rule", "none")
            self.assertRegex(rule, "^placement:" if needs_token else "^none$", f"{method} {url}")

    def test_every_route_of_the_newest_version_is_described(self):
        described = {
            (url, method.upper())
            for method, url, _ in operations_of(openapi.document())
        }
        declared = {
            (url, method)
            for url, methods in (ROUTE_DECLARATIONS | description.DECLARATIONS).items()
            for method in methods
            if url
        }
        self.assertEqual(declared | {(health.PATH, "GET")}, described)

    def test_each_handler_has_one_operation(self):
        handlers = {
            handler for methods in ROUTE_DECLARATIONS.values() for handler in methods.values()
        }
        reachable = {
            operations.variant(handler, since)
            for since in (lambda behaviour: False, lambda behaviour: True)
            for handler in handlers
        }
        self.assertEqual(reachable, set(operations.OPERATIONS))

    def test_no_operation_is_declared_in_two_modules(self):
        """Otherwise, merging the declarations would silently keep only the last one."""
        modules = (each for each in vars(operations).values() if hasattr(each, "OPERATIONS"))
        self.assertEqual(
            len(operations.OPERATIONS), sum(len(module.OPERATIONS) for module in modules)
        )

    def test_the_docstring_of_a_handler_names_its_route_and_leaves_the_rest_to_the_operation(self):
        for url, methods in ROUTE_DECLARATIONS.items():
            for method, handler in methods.items():
                first, *more = handler.__doc__.splitlines()
                self.assertRegex(first, rf"^{method} {re.escape(url or '/')}[.:]")
                self.assertEqual([], [line for line in more if "Raises: " in line])

    def test_the_document_is_the_same_without_docstrings(self):
        code = (
            "from placement.web import description\n"
            "for version in ('1.0', 'latest'):\n"
            "    print(description.document(version).decode())\n"
        )
        printed = subprocess.run(
            [sys.executable, "-OO", "-c", code], check=True, capture_output=True, text=True
        ).stdout
        served = [description.document(version).decode() for version in ("1.0", "latest")]
        self.assertEqual(served, printed.splitlines())

    def test_every_version_has_its_own_document(self):
        documents = [openapi.document(version) for version in openapi.VERSIONS]
        same = set()
        versions = openapi.VERSIONS[1:]
        for version, before, after in zip(versions, documents, documents[1:], strict=False):
            if (before["paths"], before["components"]["schemas"]) == (
                after["paths"],
                after["components"]["schemas"],
            ):
                same.add(version)
        self.assertEqual(NOT_IN_THE_DOCUMENT.keys(), same)

    def test_codes_are_described_since_the_version_that_has_them(self):
        deletion = "/resource_providers/{uuid}"
        texts = {
            version: openapi.document(version)["paths"][deletion]["delete"]["responses"]["409"]
            for version in ((1, 22), (1, 23))
        }
        self.assertNotIn(errors.PROVIDER_INUSE, texts[1, 22]["description"])
        self.assertIn(errors.PROVIDER_INUSE, texts[1, 23]["description"])

    def test_the_version_is_a_string_that_client_generators_understand(self):
        header = openapi.document((1, 7))["components"]["parameters"]["Version"]
        expected = {
            "type": "string", "pattern": "^placement 1[.]7$", "default": "placement 1.7"
        }
        self.assertEqual(expected, header["schema"])
        self.assertFalse(header.get("required", False))

    def test_every_tag_is_described_and_used(self):
        document = openapi.document()
        used = {tag for _, _, operation in operations_of(document) for tag in operation["tags"]}
        self.assertEqual(used, {tag["name"] for tag in document["tags"]})

    def test_references_stay_within_the_document(self):
        """Otherwise viewers load files, and read them as YAML: see web/docs_page.py."""
        for version in openapi.VERSIONS:
            references = re.findall('"[$]ref": "(.*?)"', json.dumps(openapi.document(version)))
            self.assertEqual({"#"}, {reference.partition("/")[0] for reference in references})

    def test_the_position_of_a_list_is_described_where_no_body_has_it(self):
        responses = openapi.document()["paths"]["/operator/providers"]["get"]["responses"]
        for status in ("200", "304"):
            self.assertIn(providers.POSITION, responses[status]["headers"])

    def test_no_other_answer_promises_the_position_of_a_list(self):
        promising = {
            operation["operationId"]
            for _, _, operation in operations_of(openapi.document())
            for response in operation["responses"].values()
            if providers.POSITION in response.get("headers", {})
        }
        self.assertEqual({"list_whole_providers"}, promising)

    def test_the_parameter_limit_is_described_as_a_number(self):
        parameters = openapi.document()["paths"]["/allocation_candidates"]["get"]["parameters"]
        limits = [each["schema"] for each in parameters if each["name"] == "limit"]
        self.assertEqual([{"type": "integer", "minimum": 1}], limits)

    def test_the_command_prints_the_document_of_a_version_or_the_latest(self):
        for asked, printed in (("1.7", "1.7"), ("latest", microversion.VERSIONS[-1])):
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                manage.main(["openapi", "--microversion", asked])
            self.assertEqual(printed, json.loads(output.getvalue())["info"]["version"])


class Properties(testtools.TestCase):
    """What the documents say about the properties of bodies."""

    def setUp(self):
        super().setUp()
        document = openapi.document()
        self.paths = document["paths"]
        self.schemas = document["components"]["schemas"]

    def followed(self, schema):
        reference = schema.get("$ref")
        return self.schemas[reference.rpartition("/")[2]] if reference else schema

    def request(self, method, url):
        body = self.paths[url][method]["requestBody"]["content"]["application/json"]
        return self.followed(body["schema"])["properties"]

    def answer(self, method, url):
        response = self.paths[url][method]["responses"]["200"]
        schema = response["content"]["application/json"]["schema"]
        return self.followed(schema.get("anyOf", [schema])[0])["properties"]

    def test_the_meaning_of_a_property_depends_on_its_object(self):
        consumer, provider = "/allocations/{consumer_uuid}", "/resource_providers/{uuid}"
        versions = self.followed(self.answer("get", "/")["versions"]["items"])["properties"]
        for expected, schema in (
            (
                "Increases with every change to the provider.",
                self.answer("get", provider)["generation"],
            ),
            (
                "Increases with every change to the consumer.",
                self.answer("get", consumer)["consumer_generation"],
            ),
            (
                "The generation of the consumer, as last read; null if it must not exist.",
                self.request("put", consumer)["consumer_generation"],
            ),
            (
                "What the consumer uses, by provider.",
                self.answer("get", consumer)["allocations"],
            ),
            (
                "The allocations from the provider, by consumer.",
                self.answer("get", f"{provider}/allocations")["allocations"],
            ),
            ("Whether these versions are served.", versions["status"]),
        ):
            self.assertEqual(expected, schema["description"])

    def test_described_defaults_are_those_of_the_service(self):
        url = "/resource_providers/{uuid}/inventories"
        given = {
            name: schema["default"]
            for name, schema in self.request("post", url).items()
            if "default" in schema
        }
        service = self.useFixture(fixtures.Application())
        uuid = "11111111-1111-1111-1111-111111111111"

        json_body = {"content_type": "application/json"}
        provider = {"name": "a", "uuid": uuid}
        service.ask("POST", "/resource_providers", json=provider, **json_body)
        inventory = {"resource_class": "VCPU", "total": 8}
        made = service.ask("POST", url.format(uuid=uuid), json=inventory, **json_body).json
        self.assertEqual(made, given | {"total": 8, "resource_provider_generation": 1})

    def test_properties_of_answers_have_no_default(self):
        shown = self.answer("get", "/resource_providers/{uuid}/inventories/{resource_class}")
        self.assertNotIn("default", shown["reserved"])


class Prose(testtools.TestCase):
    """If a test fails, a reader of /docs sees a placeholder, half a sentence, or a wrong code."""

    def test_sentences_have_only_known_placeholders(self):
        gaps = {
            gap
            for _, _, operation in operations_of(openapi.document())
            for response in operation["responses"].values()
            for gap in re.findall("<(.+?)>", response.get("description", ""))
        }
        self.assertEqual(
            {"actual", "by what", "class name", "class names", "expected", "given", "host"}
            | {"limit", "name", "names", "parameter", "position", "provider", "uuid"},
            gaps,
        )

    def test_summaries_and_descriptions_are_sentences(self):
        for route in routes.in_version(lambda behaviour: True):
            self.assertRegex(route.operation.summary, r"^[A-Z].*[.?]$")
            if route.operation.description:
                self.assertRegex(route.operation.description, r"[.]$")

    def test_a_refusal_has_the_status_and_the_code_of_its_exception(self):
        in_use, bad = refusals.of(exception.ProviderInUse, exception.UnknownResourceClass)
        self.assertEqual(
            (
                409,
                (errors.PROVIDER_INUSE,),
                "Unable to delete resource provider <uuid>: Resource provider has allocations.",
            ),
            in_use,
        )
        self.assertEqual((400, (errors.UNDEFINED,), "No such resource class <name>."), bad)

    def test_a_refusal_may_have_other_codes_than_its_exception(self):
        codes = (errors.QUERY_BAD_VALUE, errors.QUERY_MISSING_VALUE)
        self.assertEqual(
            (400, codes, "A query parameter is malformed."),
            refusals.with_codes(exception.BadQuery, *codes),
        )

    def test_sentences_that_an_exception_passes_on_are_declared(self):
        passing_on = {
            kind
            for kind in vars(exception).values()
            if isinstance(kind, type)
            and issubclass(kind, exception.PlacementException)
            and re.fullmatch(r"\{\w+\}", vars(kind).get("sentence", ""))
        }
        self.assertEqual(passing_on, set(refusals.SENTENCES))

    def test_a_replacement_of_a_declared_field_names_one_that_exists(self):
        for kind, shown in refusals.SHOWN.items():
            fields = {field for _, field, _, _ in string.Formatter().parse(kind.sentence)}
            self.assertEqual(set(), shown.keys() - fields, kind)

    def test_both_reasons_why_an_inventory_has_no_capacity_are_described_as_one(self):
        described = refusals.SHOWN[exception.InvalidInventoryCapacity]["reason"]
        for reserved, may_reserve_all, part in ((9, True, ""), (8, False, "or equal to ")):
            wanted = inventory.Inventory.from_request("VCPU", {"total": 8, "reserved": reserved})
            refusal = self.assertRaises(
                exception.InvalidInventoryCapacity,
                *(inventory.check_capacity, wanted, "a-uuid", may_reserve_all),
            )
            self.assertEqual(described.replace("(or equal to) ", part), refusal.reason)


class Refusals(testtools.TestCase):
    """Refusals by the layers around the handlers must also be as documented."""

    def ask(self, service, method, url, **options):
        path = url.format(
            uuid="1", name="CUSTOM_A", resource_class="VCPU", consumer_uuid="1"
        )
        checked = conformance.Conformance(service.application)
        headers = {"OpenStack-API-Version": "placement latest"} | options.pop("headers", {})
        request = webob.Request.blank(path, method=method, headers=headers, **options)
        return request.get_response(checked)

    def keystone(self, **environment):
        for name, value in ({"AUTH_TYPE": "none"} | environment).items():
            variable = f"OS_KEYSTONE_AUTHTOKEN__{name}"
            self.useFixture(base_fixtures.EnvironmentVariable(variable, value))
        return self.useFixture(fixtures.Application(api__auth_strategy="keystone"))

    def test_a_body_that_is_too_large_is_refused_as_described(self):
        service = self.useFixture(fixtures.Application(api__max_request_body_size=9))
        for url, methods in (ROUTE_DECLARATIONS | description.DECLARATIONS).items():
            for method in methods:
                answer = self.ask(service, method, url or "/", body=b"0123456789")
                self.assertEqual(413, answer.status_int, f"{method} {url}")

    def test_a_request_without_a_token_is_refused_as_described(self):
        strategies = {"noauth2": self.useFixture(fixtures.Application())}
        strategies["keystone"] = self.keystone()
        for strategy, service in strategies.items():
            for accepted in ("application/json", "text/html", "text/plain"):
                answer = self.ask(service, "GET", "/traits", headers={"Accept": accepted})
                self.assertEqual(401, answer.status_int)
                has_header = "WWW-Authenticate" in answer.headers
                self.assertEqual(strategy == "keystone", has_header)

    def test_a_request_without_keystone_is_refused_as_described(self):
        service = self.keystone(
            AUTH_TYPE="admin_token",
            ENDPOINT="http://127.0.0.1:1",
            TOKEN="t",
            HTTP_REQUEST_MAX_RETRIES="0",
        )
        answer = self.ask(service, "GET", "/traits", headers={"X-Auth-Token": "t"})
        self.assertEqual(503, answer.status_int)
        self.assertEqual("503 Service Unavailable", answer.json["code"])

    def test_a_request_without_the_database_is_refused_as_described(self):
        service = self.useFixture(fixtures.Application())
        self.useFixture(
            base_fixtures.MockPatchObject(
                service.database, "single_statement", side_effect=db_exc.DBConnectionError()
            )
        )
        answer = self.ask(service, "GET", "/traits", headers={"X-Auth-Token": "admin"})
        self.assertEqual(503, answer.status_int)
        self.assertIn("Retry-After", answer.headers)

    def test_an_unhealthy_process_answers_as_described(self):
        well, ill = (self.useFixture(fixtures.Application()) for _ in range(2))
        os.unlink(ill.database.engine.url.database)
        for service, status in ((well, 200), (ill, 503)):
            for accepted in ("*/*", "application/json", "text/html", "text/plain"):
                answer = self.ask(service, "GET", health.PATH, headers={"Accept": accepted})
                self.assertEqual(status, answer.status_int)

    def test_a_class_may_have_a_name_that_is_not_a_custom_one(self):
        put = openapi.document((1, 7))["paths"]["/resource_classes/{name}"]["put"]
        self.assertIn("does not match '^CUSTOM_", put["responses"]["400"]["description"])


class Answers(testtools.TestCase):
    """tests.test_gabbits compares all answers with the documents. These test that comparison."""

    def answered(self, path, status, body=None, **headers):
        def application(environ, start_response):
            response = webob.Response(status=status)
            if body is not None:
                response.content_type = "application/json"
                response.json = body
            response.headers["OpenStack-API-Version"] = f"placement {microversion.VERSIONS[-1]}"
            response.headers["x-openstack-request-id"] = "req-1"
            for name, value in headers.items():
                response.headers[name.replace("_", "-")] = value
            return response(environ, start_response)

        return webob.Request.blank(path).get_response(conformance.Conformance(application))

    def assert_noticed(self, complaint, path, status, body=None, **headers):
        error = self.assertRaises(
            conformance.NotAsDocumented, self.answered, path, status, body, **headers
        )
        self.assertIn(complaint, str(error))

    def test_a_documented_answer_passes(self):
        self.answered("/traits", 200, {"traits": ["A"]}, Cache_Control="no-cache")
        self.answered("/nowhere", 404)

    def test_a_status_that_is_not_documented_is_noticed(self):
        self.assert_noticed("is not in", "/traits", 409)

    def test_a_server_error_is_reported_with_its_traceback(self):
        """If it fails, a developer whose change ends a story with 500 does not learn why."""

        def application(environ, start_response):
            raise KeyError("with_colour")

        request = webob.Request.blank("/traits")
        wrapped = conformance.Conformance(fault_wrap.FaultWrapper(application))
        error = self.assertRaises(conformance.UnexpectedError, request.get_response, wrapped)
        self.assertIn("KeyError: 'with_colour'", str(error))

    def test_an_answer_of_an_undocumented_operation_is_noticed(self):
        self.assert_noticed("no such operation", "/nowhere", 204)

    def test_a_body_that_breaks_the_schema_is_noticed(self):
        self.assert_noticed(
            "'X' was unexpected",
            "/traits",
            200,
            {"traits": [], "X": 1},
            Cache_Control="no-cache",
        )
        error = {"status": 400, "title": "", "detail": "", "request_id": "", "code": "new"}
        self.assert_noticed("is not one of", "/traits", 400, {"errors": [error]})

    def test_an_undocumented_member_is_noticed_even_if_members_may_be_added(self):
        """Clients have to accept it, or generated ones would fail with the next release."""
        documented = {
            "format": 1,
            "release": "1.0",
            "max_version": "1.39",
            "database": "sqlite",
            "history_days": 30,
            "last_audit": None,
        }
        caching = {"Cache_Control": "no-cache"}
        self.answered("/operator/service", 200, documented, **caching)
        self.assert_noticed(
            "'X' was unexpected", "/operator/service", 200, documented | {"X": 1}, **caching
        )
        document = openapi.document()
        for url, path in document["paths"].items():
            if not url.startswith("/operator/"):
                continue
            for operation in (path[method] for method in ("get", "post") if method in path):
                answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
                objects = [each for each in schemas_in(document, answer) if "properties" in each]
                self.assertNotEqual([], objects)
                self.assertEqual([], [each for each in objects if "additionalProperties" in each])

    def test_missing_and_undocumented_headers_are_noticed(self):
        self.assert_noticed("Cache-Control is missing", "/traits", 200, {"traits": []})
        self.assert_noticed(
            "Location is not documented",
            "/traits",
            200,
            {"traits": []},
            Cache_Control="no-cache",
            Location="/",
        )

    def test_a_parameter_that_is_not_documented_is_noticed(self):
        self.assert_noticed(
            "the parameter colour",
            "/traits?colour=red",
            200,
            {"traits": []},
            Cache_Control="no-cache",
        )

