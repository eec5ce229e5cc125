import io
from unittest import mock

import microversion_parse
import testtools
import webob.exc

from placement import exception
from placement.environ import MICROVERSION, ROUTING_ARGUMENTS
from placement.handlers.requests.request import MOST_PARTS, Request
from placement.microversion import Since
from placement.queries import query_string
from placement.schemas import validation

NAMED = validation.of_body(
    {
        "type": "object",
        "properties": {"name": {"type": "string", "minLength": 1}},
        "required": ["name"],
        "additionalProperties": False,
    }
)


def request(path="/", **options):
    return Request.blank(path, **options)


def in_version(major, minor):
    version = microversion_parse.Version(major, minor)
    return Request.blank("/", environ={MICROVERSION: version})


class Versions(testtools.TestCase):
    def test_a_behaviour_applies_since_its_version(self):
        self.assertFalse(in_version(1, 5).since(Since.TRAITS))
        self.assertTrue(in_version(1, 6).since(Since.TRAITS))
        self.assertTrue(in_version(1, 10).since(Since.TRAITS))


class PathVariables(testtools.TestCase):
    def variable(self, path_text):
        environ = {ROUTING_ARGUMENTS: ((), {"name": path_text})}
        return request(environ=environ).path_variable("name")

    def test_path_variables_are_decoded_as_utf_8(self):
        self.assertEqual("\u00e9", self.variable("\u00c3\u00a9"))

    def test_a_path_that_some_database_cannot_compare_is_not_found(self):
        self.assertEqual("%FF", self.variable("\u00ff"))
        self.assertEqual("%00", self.variable("\0"))
        emoji = "a\U0001f600b".encode().decode("latin-1")
        self.assertEqual("a%F0%9F%98%80b", self.variable(emoji))


class MountPrefixes(testtools.TestCase):
    """If a test fails, links lead elsewhere, or a proxy's odd header is answered with a 500."""

    def test_a_mount_prefix_is_quoted_as_a_part_of_urls(self):
        for script_name, prefix in [
            ("", ""),
            ("/placement", "/placement"),
            ("/~a/b:c@d", "/~a/b:c@d"),
            ("/a%20b~", "/a%20b~"),
            ("/a b", "/a%20b"),
            ("/\u00c3\u00a9", "/%C3%A9"),
            ("/\u00ff", "/%FF"),
        ]:
            environ = {"SCRIPT_NAME": script_name}
            self.assertEqual(prefix, request(environ=environ).mount_prefix)


class ReceivedBodies(testtools.TestCase):
    chunked = {"wsgi.input_terminated": True}
    text = b'{"name": "a"}'

    def received(self, stream, **environ):
        return request(method="POST", environ={"wsgi.input": stream, **environ})

    def refusal(self, stream, **environ):
        received = self.received(stream, **environ)
        return str(self.assertRaises(webob.exc.HTTPBadRequest, received.json_matching, NAMED))

    def test_a_body_can_be_read_more_than_once(self):
        for environ in ({"CONTENT_LENGTH": str(len(self.text))}, self.chunked):
            received = self.received(io.BytesIO(self.text), **environ)
            body = received.json_matching(NAMED)
            self.assertEqual({"name": "a"}, body)
            # A retry does not parse the body again.
            self.assertIs(body, received.json_matching(NAMED))

    def test_a_body_that_was_not_sent_is_empty(self):
        self.assertIn("Malformed JSON", self.refusal(io.BytesIO(self.text)))

    def test_a_body_that_breaks_off_is_refused(self):
        length = str(len(self.text) + 1)
        self.assertIn("is truncated", self.refusal(io.BytesIO(self.text), CONTENT_LENGTH=length))

    def test_a_body_that_the_server_cannot_read_is_refused(self):
        for error in (OSError("connection reset"), Exception("invalid chunk size")):
            stream = mock.Mock(spec=["read"])
            stream.read.side_effect = error
            for environ in ({"CONTENT_LENGTH": "2"}, self.chunked):
                self.assertIn(
                    "truncated or badly chunked", self.refusal(stream, **environ)
                )


class Bodies(testtools.TestCase):
    def parse(self, body):
        return request(method="POST", body=body).json_matching(NAMED)

    def refusal(self, body):
        return str(self.assertRaises(webob.exc.HTTPBadRequest, self.parse, body))

    def test_a_body_of_json_is_parsed(self):
        self.assertEqual({"name": "\u00e9"}, self.parse('{"name": "\u00e9"}'.encode()))

    def test_the_last_of_duplicate_keys_wins(self):
        self.assertEqual({"name": "b"}, self.parse(b'{"name": "a", "name": "b"}'))

    def test_a_body_that_is_not_json_is_malformed(self):
        for body in [
            b"",
            b" ",
            b"{",
            b"{} {}",
            b"{'name': 'a'}",
            b'{"name": "\x01"}',
            b'\xef\xbb\xbf{"name": "a"}',
            b"\xff",
            b'{"name": NaN}',
            b'{"name": "\\ud800"}',
            b'{"name": "\\u0000"}',
            b'{"a\\u0000": [{"b": "c"}]}',
            b'{"a": [{"b": ["\\u0000"]}]}',
            b"[" * 100000,
            b"9" * 5000,
            b'["' + b"9" * 19 + b'", NaN]',
        ]:
            self.assertIn("Malformed JSON:", self.refusal(body), body[:20])

    def test_a_body_that_is_not_utf8_is_refused_with_the_place(self):
        self.assertEqual(
            "Malformed JSON: byte 10 (0xe9) is not UTF-8: invalid continuation byte",
            self.refusal('{"name": "\u00e9"}'.encode("latin-1")),
        )

    def test_an_escaped_backslash_before_u0000_is_not_a_nul(self):
        self.assertEqual({"name": "\\u0000"}, self.parse(b'{"name": "\\\\u0000"}'))

    def test_a_refused_body_reports_the_violated_rule(self):
        for body, fragment in [
            (b"[]", "[] is not of type 'object'"),
            (b"{}", "'name' is a required property"),
            (b'{"name": 1}', "1 is not of type 'string'"),
            (b'{"name": "a", "x": 1}', "Additional properties are not allowed ('x' was"),
        ]:
            refusal = self.refusal(body)
            self.assertTrue(refusal.startswith(f"JSON does not validate: {fragment}"), refusal)

    def test_a_refused_number_is_reported_as_it_was_written(self):
        for number in ["9" * 18, "-" + "9" * 19, "9" * 20, "1" + "0" * 30]:
            refusal = self.refusal(f'{{"name": {number}}}'.encode())
            self.assertIn(f" {number} is not of type 'string'", refusal)

    def test_a_document_with_too_many_parts_is_not_parsed(self):
        for sign, (most, parts) in MOST_PARTS.items():
            self.assertIn("Malformed JSON: unexpected", self.refusal(b"[" + sign * most))
            self.assertIn(
                f"JSON does not validate: it has more than {most} {parts}",
                self.refusal(b"[" + sign * (most + 1)),
            )

    def test_a_deep_document_is_refused_like_any_other(self):
        deep = b"[" * 1000 + b"]" * 1000
        for body in [b'{"name": %b}' % deep, b'{"name": %b, "x": %b}' % (deep, b"9" * 20)]:
            self.assertIn("JSON", self.refusal(body))
        # This is not too deep for the parser.
        deep = b"[" * 900 + b"]" * 900
        self.assertEqual(
            "JSON does not validate: it is nested too deeply, more than any body that the API "
            "takes",
            self.refusal(b'{"name": %b}' % deep),
        )


class Queries(testtools.TestCase):
    def parse(self, query, **options):
        return request(f"/?{query}").query_matching(NAMED, **options)

    def refusal(self, query, **options):
        return str(self.assertRaises(exception.BadQuery, self.parse, query, **options))

    def test_the_last_value_of_a_repeated_parameter_is_checked(self):
        query = self.parse("name=a&name=b+c%C3%A9")
        self.assertEqual(["a", "b c\u00e9"], query.getall("name"))

    def test_the_first_value_is_checked_where_the_first_value_counts(self):
        hidden = "name=&name=a"
        self.assertEqual(["", "a"], self.parse(hidden).getall("name"))
        refusal = self.refusal(hidden, values=query_string.first_and_last)
        self.assertEqual(self.refusal("name="), refusal)
        between = self.parse("name=a&name=&name=b", values=query_string.first_and_last)
        self.assertEqual(["a", "", "b"], between.getall("name"))

    def test_every_value_is_checked_where_every_value_counts(self):
        refusal = self.refusal("name=a&name=&name=b", values=query_string.every)
        self.assertEqual(self.refusal("name="), refusal)
        accepted = self.parse("name=a&name=b&name=c", values=query_string.every)
        self.assertEqual(["a", "b", "c"], accepted.getall("name"))

    def test_a_semicolon_separates_parameters_too(self):
        self.assertIn("('other' was unexpected)", self.refusal("name=a;other=b"))

    def test_a_nul_in_a_query_is_accepted_as_text(self):
        self.assertEqual("p1" + "\ufffd" * 257, self.parse("name=p1%00%00")["name"])
        self.assertIn("('n\ufffd' was unexpected)", self.refusal("name=a&n%00=b"))

    def test_a_refused_query_says_that_it_is_the_query(self):
        for query in ["", "other=a", "name=%ff"]:
            refusal = self.refusal(query)
            self.assertTrue(refusal.startswith("Invalid query string parameters: "), refusal)
