"""Request bodies have a largest size, so that one client cannot take all memory."""

import functools

import webob.exc

from placement.middleware.error_document import error_document


def _too_large(limit):
    return webob.exc.HTTPRequestEntityTooLarge(
        f"The request body is larger than {limit} bytes.", json_formatter=error_document
    )


class SizeLimit:
    """Middleware: a body of more than `limit` bytes is answered with 413."""

    def __init__(self, application, limit):
        self._application = application
        self._limit = limit

    def __call__(self, environ, start_response):
        length = environ.get("CONTENT_LENGTH", "")
        if length.isdecimal():
            if int(length) > self._limit:
                return _too_large(self._limit)(environ, start_response)
        else:
            # A chunked body shows its size only while it is read.
            environ["wsgi.input"] = LimitedInput(environ["wsgi.input"], self._limit)
        return self._application(environ, start_response)


class LimitedInput:
    """An input stream that raises HTTPRequestEntityTooLarge beyond `limit` bytes."""

    def __init__(self, stream, limit):
        self._stream = stream
        self._limit = limit
        self._left = limit

    def read(self, size=-1):
        return self._counted(self._stream.read(self._allowed(size)))

    def readline(self, size=-1):
        return self._counted(self._stream.readline(self._allowed(size)))

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return iter(functools.partial(self.readline), b"")

    def _allowed(self, size):
        # One byte more than is left distinguishes a body that is too large from one that just fits.
        most = self._left + 1
        return most if size is None or size < 0 else min(size, most)

    def _counted(self, data):
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._limit)
        return data
