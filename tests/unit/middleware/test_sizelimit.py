import io
import itertools
from unittest import mock

import testtools
import webob.exc

from placement.middleware import sizelimit
from tests import fixtures


class LargeBodies(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(api__max_request_body_size=10))

    def test_a_body_as_large_as_the_limit_is_accepted(self):
        answer = self.service.ask("GET", "/", body=b"x" * 10, content_type="text/plain")
        self.assertEqual(200, answer.status_int)

    def test_a_body_one_byte_over_the_limit_is_refused_with_an_error_document(self):
        answer = self.service.ask("GET", "/", body=b"x" * 11, content_type="text/plain")
        self.assertEqual(413, answer.status_int)
        [error] = answer.json["errors"]
        self.assertIn("larger than 10 bytes", error["detail"])

    def test_a_content_length_that_is_not_a_number_is_refused(self):
        for length in ("eleven", "\xb2"):
            environ = {"CONTENT_LENGTH": length}
            self.assertEqual(400, self.service.ask("GET", "/", environ=environ).status_int, length)

    def test_a_content_length_of_thousands_of_digits_is_too_large(self):
        environ = {"CONTENT_LENGTH": "9" * 5000}
        self.assertEqual(413, self.service.ask("GET", "/", environ=environ).status_int)

    def test_a_content_length_may_have_leading_zeros_up_to_the_digit_limit(self):
        environ = {"CONTENT_LENGTH": "1".zfill(sizelimit.MOST_DIGITS), "CONTENT_TYPE": "text/plain"}
        answer = self.service.ask("GET", "/", environ=environ)
        self.assertEqual(200, answer.status_int)

    def test_a_content_length_above_the_digit_limit_is_not_parsed(self):
        environ = {"CONTENT_LENGTH": "1".zfill(sizelimit.MOST_DIGITS + 1)}
        self.assertEqual(413, self.service.ask("GET", "/", environ=environ).status_int)


class ChunkedBodies(testtools.TestCase):
    """Chunked bodies have no Content-Length, so they are counted as they are read."""

    def test_a_chunked_body_up_to_the_limit_is_passed_on(self):
        text = b"ab\ncd\nefg\n"
        for read in [
            lambda stream: stream.read(),
            lambda stream: stream.read(100),
            lambda stream: b"".join(iter(lambda: stream.read(3), b"")),
            lambda stream: b"".join(stream),
            lambda stream: b"".join(stream.readlines()),
        ]:
            stream = sizelimit.LimitedInput(io.BytesIO(text), len(text))
            self.assertEqual(text, read(stream))

    def test_reading_a_chunked_body_over_the_limit_fails_before_its_end(self):
        source = io.BytesIO(b"x" * 1000)
        stream = sizelimit.LimitedInput(source, 10)
        self.assertRaises(webob.exc.HTTPRequestEntityTooLarge, stream.read)
        self.assertEqual(11, source.tell())

    def test_a_body_of_many_tiny_chunks_is_refused(self):
        source = io.BytesIO(b"x" * 10 * sizelimit.PIECE)
        stream = sizelimit.LimitedInput(source, 2**30)
        times = itertools.count(step=sizelimit.MOST_CPU_SECONDS / 3)
        with mock.patch("time.thread_time", lambda: next(times)):
            refusal = self.assertRaises(webob.exc.HTTPBadRequest, stream.read)
        self.assertIn("chunks of the request body are too small", str(refusal))
        self.assertEqual(4 * sizelimit.PIECE, source.tell())

    def test_a_chunked_body_over_the_limit_is_answered_with_413(self):
        service = self.useFixture(fixtures.Application(api__max_request_body_size=10))
        answer = service.ask(
            "POST",
            "/resource_providers",
            version="1.20",
            content_type="application/json",
            environ={
                "wsgi.input": io.BytesIO(b"{}" * 100),
                "wsgi.input_terminated": True,
                "HTTP_TRANSFER_ENCODING": "chunked",
            },
        )
        self.assertEqual(413, answer.status_int)
        self.assertEqual("placement 1.20", answer.headers["openstack-api-version"])
