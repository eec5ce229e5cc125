"""Limits the size of request bodies, so that one client cannot take all memory.

Source: doc/reference/differences.rst, "Refused with 400" and "The service".
"""

import functools
import time

import webob.exc

from placement.middleware import uwsgi_chunks
from placement.middleware.error_document import error_document
from placement.middleware.refusal import refuse

# The most digits of a Content-Length.
MOST_DIGITS = 20
# Reading a body of many megabytes takes only a small part of this time if its chunks have a few
# hundred bytes or more. The number of chunks cannot be limited: the server does not reveal it.
MOST_CPU_SECONDS = 0.5
PIECE = 2**16


def _too_large(limit):
    return webob.exc.HTTPRequestEntityTooLarge(
        f"The request body is larger than {limit} bytes ([api] max_request_body_size).",
        json_formatter=error_document,
    )


class SizeLimit:
    """Middleware: a body of more than `limit` bytes is answered with 413.

    limit: the option `[api] max_request_body_size`
    """

    def __init__(self, application, limit):
        self._application = application
        self._limit = limit

    def __call__(self, environ, start_response):
        length = environ.get("CONTENT_LENGTH", "")
        if length.isdecimal():
            # Python refuses to read a number with thousands of digits.
            if len(length) > MOST_DIGITS or int(length) > self._limit:
                return refuse(_too_large(self._limit), environ, start_response)
        else:
            # A chunked body shows its size only while it is read.
            uwsgi_chunks.offer(environ)
            environ["wsgi.input"] = LimitedInput(environ["wsgi.input"], self._limit)
        return self._application(environ, start_response)


class LimitedInput:
    """An input stream that raises HTTPRequestEntityTooLarge beyond `limit` bytes.

    It raises HTTPBadRequest if reading takes more than MOST_CPU_SECONDS of processor time.
    """

    def __init__(self, stream, limit):
        self._stream = stream
        self._limit = limit
        self._left = limit
        self._cpu_seconds_left = MOST_CPU_SECONDS

    def read(self, size=-1):
        # The body is read in pieces, so that a body that is too large is refused before all of it
        # is in memory.
        wanted = self._allowed(size)
        pieces = []
        while wanted and (piece := self._taken(self._stream.read, min(wanted, PIECE))):
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def readline(self, size=-1):
        return self._taken(self._stream.readline, self._allowed(size))

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return iter(functools.partial(self.readline), b"")

    def _allowed(self, size):
        """Return how many of `size` bytes may be read; `size` is as for read()."""
        # Reading one byte more than is left shows whether a body is too large or just fits.
        most = self._left + 1
        return most if size is None or size < 0 else min(size, most)

    def _taken(self, read, size):
        """Call `read`, a method of the stream, and return its bytes.

        Raises: HTTPError if the body is too large, or takes too much processor time: tiny chunks
        are slow to parse.
        """
        begun = time.thread_time()
        data = read(size)
        self._cpu_seconds_left -= time.thread_time() - begun
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._limit)
        if self._cpu_seconds_left < 0:
            raise webob.exc.HTTPBadRequest(
                "The chunks of the request body are too small: send larger ones, or a "
                "Content-Length."
            )
        return data
