import io
import socket
import sys
import types
from unittest import mock

import testtools

from placement.middleware import uwsgi_chunks
from tests import fixtures

UNDER_UWSGI = {"uwsgi.version": b"2.0.31", "HTTP_TRANSFER_ENCODING": "chunked"}


class ChunksOfUwsgi(testtools.TestCase):
    """If a test fails, uWSGI hangs, or cuts bodies without a length."""

    def body(self, *chunks, **environ):
        """Return wsgi.input under uWSGI, which has these chunks to give."""
        left = [*chunks, b"", b""]
        environ = {"wsgi.input": io.BytesIO(b"plain")} | UNDER_UWSGI | environ
        uwsgi = types.SimpleNamespace(chunked_read=lambda: left.pop(0))
        with mock.patch.dict(sys.modules, uwsgi=uwsgi):
            uwsgi_chunks.offer(environ)
        return environ["wsgi.input"]

    def test_the_chunks_are_the_body(self):
        self.assertEqual(b'{"a": 1}', self.body(b'{"a"', b": 1}").read())

    def test_a_part_of_a_chunk_can_be_read(self):
        stream = self.body(b"abcd", b"ef")
        self.assertEqual([b"abc", b"def", b""], [stream.read(3) for _ in range(3)])

    def test_a_chunk_larger_than_all_buffers_is_read_whole(self):
        self.assertEqual(b"x" * 10**6, self.body(b"x" * 10**6).read())

    def test_no_chunks_are_an_empty_body(self):
        self.assertEqual(b"", self.body().read())

    def test_a_body_that_uwsgi_reads_itself_is_left_alone(self):
        stream = self.body(b"chunk", **{"wsgi.input_terminated": True})
        self.assertEqual(b"plain", stream.read())
        self.assertEqual(b"plain", self.body(HTTP_TRANSFER_ENCODING="gzip").read())

    def test_a_chunk_that_does_not_come_is_a_bad_request(self):
        def fail():
            raise OSError("unable to receive chunked part")

        client, ours = socket.socketpair()
        self.addCleanup(client.close)
        self.addCleanup(ours.close)
        uwsgi = types.SimpleNamespace(chunked_read=fail, connection_fd=ours.fileno)
        service = self.useFixture(fixtures.Application())
        with mock.patch.dict(sys.modules, uwsgi=uwsgi):
            answer = service.ask(
                "POST",
                "/resource_providers",
                content_type="application/json",
                environ=UNDER_UWSGI | {"wsgi.input": io.BytesIO(b"")},
            )
        self.assertEqual(400, answer.status_int)
        self.assertIn("truncated or badly chunked", answer.text)
