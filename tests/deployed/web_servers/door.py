"""Requests that are sent byte by byte, as no HTTP library would, and their answers."""

import contextlib
import re
import socket
import ssl
import urllib.parse
from concurrent import futures
from typing import NamedTuple

_REQUEST_ID = re.compile(rb"req-[0-9a-f-]{36}")


class Door(NamedTuple):
    """Where requests are sent; with a context by TLS."""

    address: tuple
    context: ssl.SSLContext | None = None

    @classmethod
    def of_service(cls, url):
        return cls(_address(url))

    @classmethod
    def of_site(cls, running):
        return cls(_address(running.url), ssl.create_default_context(cafile=running.certificate))

    def ask(self, target, *headers, method="GET"):
        """Return all that comes back; nothing if the connection is closed at once."""
        lines = ["Host: 127.0.0.1", "Connection: close", *headers]
        request = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{line}\r\n" for line in lines)
        received = []
        with self._connection() as connection, contextlib.suppress(ConnectionError):
            connection.sendall(f"{request}\r\n".encode("latin-1"))
            while received[-1:] != [b""]:
                received.append(connection.recv(2**16))
        return b"".join(received)

    def ask_all(self, targets, *headers):
        """Return the answers to several requests, in their order."""
        with futures.ThreadPoolExecutor(8) as executor:
            return list(executor.map(lambda target: self.ask(target, *headers), targets))

    def _connection(self):
        plain = socket.create_connection(self.address, timeout=60)
        if self.context is None:
            return plain
        return self.context.wrap_socket(plain, server_hostname="127.0.0.1")


def is_fault(answer):
    """Whether it is a 500, a web server's own answer in place of the service's, or none at all."""
    return answer[9:12] in (b"", b"500", b"502", b"504")


def said(answer):
    """Return the status and the body, without the id of the request: the same each time."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return head[9:12], _REQUEST_ID.sub(b"", body)


def _address(url):
    parts = urllib.parse.urlsplit(url)
    return parts.hostname, parts.port
