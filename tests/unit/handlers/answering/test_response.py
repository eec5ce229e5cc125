import datetime

import orjson
import testtools
import webob

from placement.handlers.answering.response import moved, respond


def sent(response):
    """(status, headers as a dict, body) as a client gets them."""
    answer = webob.Request.blank("/", base_url="http://host/prefix").get_response(response)
    return answer.status_int, dict(answer.headerlist), answer.body


class Responses(testtools.TestCase):
    def test_a_document_is_json_without_charset(self):
        self.assertEqual(
            (
                200,
                {"Content-Type": "application/json", "Content-Length": "7"},
                b'{"a":1}',
            ),
            sent(respond(200, {"a": 1})),
        )

    def test_a_json_body_is_ascii(self):
        _, headers, body = sent(respond(200, {"a": "\u00e9"}))
        self.assertEqual(b'{"a": "\\u00e9"}', body)
        self.assertEqual(str(len(body)), headers["Content-Length"])

    def test_a_large_answer_has_its_length_so_that_the_connection_can_be_kept(self):
        _, headers, body = sent(respond(200, {"a": "x" * 2**20}))
        self.assertEqual(len('{"a":""}') + 2**20, len(body))
        self.assertEqual(str(len(body)), headers["Content-Length"])

    def test_a_part_that_is_json_is_sent_unchanged_or_in_ascii(self):
        part = orjson.Fragment('{"b":[1]}')
        self.assertEqual(b'{"a":{"b":[1]}}', sent(respond(200, {"a": part}))[2])
        self.assertEqual(
            b'{"a": {"b": [1]}, "c": "\\u00e9"}', sent(respond(200, {"a": part, "c": "\u00e9"}))[2]
        )

    def test_a_201_without_a_body_has_its_location_and_no_content_type(self):
        self.assertEqual(
            (201, {"Content-Length": "0", "Location": "http://host/prefix/traits/A"}, b""),
            sent(respond(201, location="/prefix/traits/A")),
        )

    def test_a_204_has_neither_type_nor_length(self):
        self.assertEqual((204, {}, b""), sent(respond(204)))

    def test_a_redirection_is_sent_as_it_is_with_a_length_so_that_the_connection_can_be_kept(self):
        sent = []
        body = moved("operator/")(None)({}, lambda *answer: sent.append(answer))
        headers = [("Location", "operator/"), ("Content-Length", "0")]
        self.assertEqual([("308 Permanent Redirect", headers)], sent)
        self.assertEqual([], body)

    def test_caching_headers_give_the_last_change_and_require_revalidation(self):
        when = datetime.datetime(2024, 2, 29, 12, 0, 1, 999999)
        _, headers, _ = sent(respond(200, {}, last_modified=when, no_cache=True))
        self.assertEqual("Thu, 29 Feb 2024 12:00:01 GMT", headers["Last-Modified"])
        self.assertEqual("no-cache", headers["Cache-Control"])
