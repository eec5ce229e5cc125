"""A client of the metrics: a connection on which one request is answered, in steps.

No step waits for the client. So one thread can serve many clients: it waits for all their sockets
at once, and runs a step for each that is ready.
"""

import itertools
import re
import selectors
import time

PATH = "/metrics"

# How many seconds a client has to send its request, and to read the answer. Prometheus gives up
# earlier.
SECONDS_TO_ASK = 2
SECONDS_TO_READ = 10

_LONGEST_REQUEST = 16 * 1024
_END = re.compile(rb"\r?\n\r?\n")


class Client:
    """Answers a GET or HEAD request for PATH.

    Attributes: socket; awaited, EVENT_READ or EVENT_WRITE, the event that allows the next step;
    deadline, a moment of time.monotonic(); has_asked, whether the whole request was read
    """

    def __init__(self, socket, answer):
        """`answer` returns the metrics' length, their content type and their bytes in chunks."""
        socket.setblocking(False)
        self.socket = socket
        self.deadline = time.monotonic() + SECONDS_TO_ASK
        self.has_asked = False
        self._steps = self._serve(answer)
        # The first event to wait for: the client sends its request.
        self.awaited = next(self._steps)

    def step(self):
        """Do what can be done without waiting. Return False when nothing is left to do."""
        try:
            self.awaited = next(self._steps)
        except (OSError, StopIteration):
            return False
        return True

    def close(self):
        self._steps.close()
        self.socket.close()

    def _serve(self, answer):
        """Yield each selectors.EVENT_... to wait for. Raises: OSError when the client is gone."""
        method, path = yield from self._request_line()
        self.has_asked = True
        chunks = _response(method, path, answer)
        self.deadline = time.monotonic() + SECONDS_TO_READ
        for chunk in chunks:
            rest = memoryview(chunk)
            while rest:
                yield selectors.EVENT_WRITE
                rest = rest[self.socket.send(rest) :]

    def _request_line(self):
        """Yield each event to wait for; return (method, path without the query).

        Raises: ConnectionError if what the client sends is not a request.
        """
        request = b""
        while not _END.search(request):
            yield selectors.EVENT_READ
            received = self.socket.recv(_LONGEST_REQUEST)
            if not received or len(request) > _LONGEST_REQUEST:
                raise ConnectionError("no request")
            request += received
        # The first line is like "GET /metrics?a=b HTTP/1.1".
        method, _, rest = request.partition(b"\n")[0].decode("latin-1").partition(" ")
        return method, rest.partition(" ")[0].strip().partition("?")[0]


def _response(method, path, answer):
    """Return the bytes of a response, in chunks."""
    if path != PATH:
        return _short("404 Not Found")
    if method not in ("GET", "HEAD"):
        return _short("405 Method Not Allowed", "Allow: GET, HEAD\r\n")
    length, content_type, chunks = answer()
    head = _head("200 OK", content_type, length)
    return [head] if method == "HEAD" else itertools.chain([head], chunks)


def _short(status, headers=""):
    """Return the bytes of a response whose body repeats the status, in chunks."""
    text = f"{status}\n".encode()
    return [_head(status, "text/plain; charset=utf-8", len(text), headers), text]


def _head(status, content_type, length, headers=""):
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n"
        f"{headers}Connection: close\r\n\r\n"
    ).encode()
