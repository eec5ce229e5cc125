"""The port of the metrics: HTTP for one client at a time, none of which can hold it for long.

All processes of a server listen on the same port (SO_REUSEPORT), and the kernel chooses one for
each connection. So nobody has to notice that one has ended, and while workers are replaced the old
and the new ones answer.
"""

import contextlib
import logging
import re
import socket
import time

from placement.metrics.trouble import Trouble

PATH = "/metrics"

# What a client has to send its request in, and what it has to take the answer in, in seconds: by
# then Prometheus would have given up, too.
SECONDS_TO_ASK = 2
SECONDS_TO_READ = 10

_LONGEST_REQUEST = 16 * 1024
_BACKLOG = 64
# The library would take one off the end for another.
_PORTS = range(1, 65536)
_END = re.compile(rb"\r?\n\r?\n")


class Listener:
    """Answers GET and HEAD of PATH at an address, such as "192.0.2.1:9778" or "[::1]:9778"."""

    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self._address = host.strip("[]"), port
        self._socket = None
        self._cannot_listen = Trouble(
            f"There are no metrics, as the service cannot listen on {address}", level=logging.ERROR
        )

    def serve(self, seconds, answer):
        """Serve clients for some seconds.

        `answer` returns the length of the metrics and their bytes, in chunks. While somebody else
        has the port, this only takes time; it is tried again with the next call.
        """
        deadline = time.monotonic() + seconds
        if self._socket is None:
            self._socket = self._cannot_listen.attempt(_listen, *self._address)
        if self._socket is None:
            time.sleep(seconds)
            return
        while (remaining := deadline - time.monotonic()) > 0:
            self._socket.settimeout(remaining)
            try:
                client, _ = self._socket.accept()
            except TimeoutError:
                return
            with client, contextlib.suppress(OSError):
                _serve(client, answer)

    def close(self):
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def _listen(host, port):
    """Raises: OSError."""
    if int(port) not in _PORTS:
        raise OSError(f"there is no port {port}")
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            listening.setsockopt(socket.SOL_SOCKET, option, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def _serve(client, answer):
    """Answer one request. Raises: OSError when the client is gone, or too slow."""
    method, path = _request_line(client)
    if path != PATH:
        _send(client, _short("404 Not Found"))
    elif method not in ("GET", "HEAD"):
        _send(client, _short("405 Method Not Allowed", "Allow: GET, HEAD\r\n"))
    else:
        length, content_type, chunks = answer()
        head = _head("200 OK", content_type, length)
        _send(client, [head] if method == "HEAD" else _after(head, chunks))


def _request_line(client):
    """Return the method and the path, without a query, of what a client asks."""
    deadline = time.monotonic() + SECONDS_TO_ASK
    request = b""
    while not _END.search(request):
        received = _before(deadline, client).recv(4096)
        if not received or len(request) > _LONGEST_REQUEST:
            raise ConnectionError("no request")
        request += received
    method, _, rest = request.partition(b"\n")[0].decode("latin-1").partition(" ")
    return method, rest.partition(" ")[0].strip().partition("?")[0]


def _send(client, chunks):
    deadline = time.monotonic() + SECONDS_TO_READ
    for chunk in chunks:
        _before(deadline, client).sendall(chunk)


def _before(deadline, client):
    """Return a client that is waited for until a moment. Raises: TimeoutError when it is over."""
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError
    client.settimeout(remaining)
    return client


def _short(status, headers=""):
    text = f"{status}\n".encode()
    return [_head(status, "text/plain; charset=utf-8", len(text), headers), text]


def _head(status, content_type, length, headers=""):
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n"
        f"{headers}Connection: close\r\n\r\n"
    ).encode()


def _after(head, chunks):
    yield head
    yield from chunks
