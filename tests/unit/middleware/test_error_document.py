"""How an error looks. Source: doc/reference/api/index.rst, "Errors"."""

import testtools

from placement.middleware import error_document
from tests import fixtures


class Errors(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())

    def ask(self, accept, method="GET"):
        headers = {} if accept is None else {"Accept": accept}
        return self.service.ask(method, "/nowhere", version="latest", headers=headers)

    def test_an_error_is_json_unless_the_client_prefers_another_type(self):
        for accept in [None, "", "*/*", "application/json", "application/*"]:
            answer = self.ask(accept)
            self.assertEqual("application/json", answer.headers["Content-Type"], accept)
            [error] = answer.json["errors"]
            self.assertEqual((404, "Not Found"), (error["status"], error["title"]))
            self.assertTrue(error["detail"].startswith("The resource could not be found.\n\n"))
            self.assertEqual(answer.headers["x-openstack-request-id"], error["request_id"])
            self.assertEqual("placement.undefined_code", error["code"])

    def test_an_error_is_html_for_browsers(self):
        for accept in ["text/html", "text/*", "*/*;q=0.5", "text/html,*/*;q=0.1", "garbage"]:
            answer = self.ask(accept)
            self.assertEqual("text/html; charset=UTF-8", answer.headers["Content-Type"], accept)
            self.assertIn("<h1>404 Not Found</h1>", answer.text)

    def test_an_error_is_plain_text_for_clients_that_accept_neither(self):
        for accept in ["text/plain", "application/xml", "application/json; charset=utf-8"]:
            answer = self.ask(accept)
            self.assertEqual("text/plain; charset=UTF-8", answer.headers["Content-Type"], accept)
            self.assertTrue(answer.text.startswith("404 Not Found\n\n"))

    def test_an_error_of_a_head_request_has_no_body(self):
        answer = self.ask(None, method="HEAD")
        self.assertEqual((404, b""), (answer.status_int, answer.body))

    def test_errors_before_1_23_have_no_code(self):
        answer = self.service.ask("GET", "/nowhere", version="1.22")
        self.assertNotIn("code", answer.json["errors"][0])

    def test_long_text_of_the_client_is_abridged_in_an_error(self):
        longest = error_document.LONGEST_DETAIL
        for detail in ["a" * longest, "<b>" * error_document.MOST_TAGS]:
            self.assertEqual(detail, error_document.abridged(detail))
        long = error_document.abridged("a" * 8_000_000 + "b")
        self.assertTrue(long.startswith("aaa") and long.endswith("aab"))
        self.assertLess(len(long), longest + 10)

    def test_text_with_many_tags_is_abridged_more_in_an_error(self):
        path = "/resource_providers/" + "<" * 4000
        for answer in (
            self.service.ask("DELETE", path),
            self.service.ask("DELETE", path, headers={"Accept": "text/plain"}),
            self.service.ask("GET", "/", version="<" * 8000, token=None),
        ):
            self.assertIn(answer.status_int, (400, 404))
            self.assertLess(answer.text.count("<"), 2 * error_document.LONGEST_OF_MANY_TAGS)
            self.assertIn("<<< ... <<<", answer.text)
