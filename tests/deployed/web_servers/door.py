"""Requests that are sent byte by byte, as no HTTP library would, and their answers."""

import contextlib
import http.client
import re
import socket
import ssl
import urllib.parse
from concurrent import futures
from typing import NamedTuple

# How many clients send requests at the same time.
CONVERSATIONS = 4

_REQUEST_ID = re.compile(rb"req-[0-9a-f-]{36}")


class Door(NamedTuple):
    """A place to which requests are sent; over TLS if there is a context."""

    address: tuple
    context: ssl.SSLContext | None = None

    @classmethod
    def of_service(cls, url):
        return cls(_address(url))

    @classmethod
    def of_site(cls, running):
        return cls(_address(running.url), ssl.create_default_context(cafile=running.certificate))

    def ask(self, target, *headers, method="GET", body=b""):
        """Return all that comes back; nothing if the connection is closed at once."""
        headers = ["Connection: close", *headers]
        received = []
        with self._connection() as connection, contextlib.suppress(ConnectionError):
            connection.sendall(_request(target, headers, method, body))
            while received[-1:] != [b""]:
                received.append(connection.recv(2**16))
        return b"".join(received)

    def ask_all(self, targets, *headers, method="GET", body=b""):
        """Return the answers to several requests, in their order: the status line and the body.

        Requests are sent one after the other on a few connections, each for as long as it stays
        open.
        """

        def ask_some(some):
            with _Conversation(self._connection) as conversation:
                return [
                    conversation.ask(_request(target, headers, method, body)) for target in some
                ]

        answers = [None] * len(targets)
        parts = [slice(number, None, CONVERSATIONS) for number in range(CONVERSATIONS)]
        with futures.ThreadPoolExecutor(CONVERSATIONS) as executor:
            asked = executor.map(ask_some, [targets[part] for part in parts])
            for part, answered in zip(parts, asked, strict=True):
                answers[part] = answered
        return answers

    def _connection(self):
        plain = socket.create_connection(self.address, timeout=60)
        if self.context is None:
            return plain
        return self.context.wrap_socket(plain, server_hostname="127.0.0.1")


class _Conversation:
    """Context manager: requests on one connection, and on another whenever it has been closed."""

    def __init__(self, connect):
        self._connect = connect
        self._connection = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._hang_up()

    def ask(self, request):
        """Return the status line and the body of an answer; nothing if there is none."""
        is_new = self._connection is None
        if is_new:
            self._connection = self._connect()
        try:
            self._connection.sendall(request)
            answer = http.client.HTTPResponse(self._connection)
            answer.begin()
            body = answer.read()
        except (OSError, http.client.HTTPException):
            self._hang_up()
            # A server may close a kept connection at any time.
            return b"" if is_new else self.ask(request)
        if answer.will_close:
            self._hang_up()
        return f"HTTP/1.1 {answer.status}\r\n\r\n".encode() + body

    def _hang_up(self):
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _request(target, headers, method, body):
    lines = ["Host: 127.0.0.1", *headers]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{line}\r\n" for line in lines)
    return f"{head}\r\n".encode("latin-1") + body


def is_fault(answer):
    """Whether an answer is a 500, is missing, or is a web server's own instead of the service's."""
    return answer[9:12] in (b"", b"500", b"502", b"504")


def said(answer):
    """Return the status and the body, without the id of the request: the same each time."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return head[9:12], _REQUEST_ID.sub(b"", body)


def _address(url):
    parts = urllib.parse.urlsplit(url)
    return parts.hostname, parts.port
