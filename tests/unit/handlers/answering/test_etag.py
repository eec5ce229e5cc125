"""Source: RFC 9110, 13.1.2."""

import io

import testtools
import webob

from placement.handlers.answering import etag


class Tagged(testtools.TestCase):
    """If a test fails, clients fetch what they have, or keep what has changed."""

    def answer(self, **headers):
        response = etag.Response(body=b"content", content_type="text/plain", charset="UTF-8")
        response.etag = "abc"
        response.cache_control = "no-cache"
        return webob.Request.blank("/", headers=headers).get_response(response)

    def test_a_client_with_the_same_tag_gets_304(self):
        for tags in ('"abc"', 'W/"abc"', '"x","abc"', '"x", W/"abc"', "*"):
            answer = self.answer(**{"If-None-Match": tags})
            self.assertEqual((304, b""), (answer.status_int, answer.body), tags)
            self.assertEqual(["Cache-Control", "ETag"], sorted(answer.headers))

    def test_a_client_with_another_tag_or_nonsense_gets_the_body(self):
        for tags in ("", '"x"', "abc", '"abc', '"abcd"', '"ABC"', "W/", '"' * 301):
            answer = self.answer(**{"If-None-Match": tags})
            self.assertEqual((200, b"content"), (answer.status_int, answer.body), tags)

    def test_conditional_headers_other_than_if_none_match_are_ignored(self):
        for name, value in (
            ("If-Modified-Since", "Sat, 29 Oct 99999 19:43:31 GMT"),
            ("If-Modified-Since", "Sat, 29 Oct 2094 19:43:31 GMT"),
            ("Range", "bytes=-"),
            ("Range", "bytes=0-1"),
        ):
            self.assertEqual(b"content", self.answer(**{name: value}).body)

    def test_an_unread_body_is_closed(self):
        content = io.BytesIO(b"content")
        response = etag.Response(app_iter=content)
        response.etag = "abc"
        webob.Request.blank("/", headers={"If-None-Match": "*"}).get_response(response)
        self.assertTrue(content.closed)
