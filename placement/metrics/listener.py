"""The port of the metrics, on which one thread serves all clients.

The thread waits for all clients at once, so a slow client does not delay the others. Only one
answer is computed at a time.

All processes of a server listen on the same port (SO_REUSEPORT), and the kernel chooses one of them
for each connection. So nothing has to be done when a process ends. While workers are replaced, both
the old and the new ones answer.
"""

import logging
import selectors
import socket
import time

from placement.background.log_throttle import ThrottledLog
from placement.metrics.client import Client

# Prometheus needs only one. Each client may cost a descriptor, some memory and kernel buffers.
MOST_CLIENTS = 64

_BACKLOG = 64
# The socket library would turn a number beyond this range into another port.
_PORTS = range(1, 65536)


class Listener:
    """Serves Clients at an address, such as "192.0.2.1:9778" or "[::1]:9778"."""

    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self._address = host.strip("[]"), port
        # The socket that listens, once serve() has got the port.
        self._socket = None
        self._selector = selectors.DefaultSelector()
        self._clients = set()
        self._cannot_listen = ThrottledLog(
            f"There are no metrics: the service cannot listen on {address}", level=logging.ERROR
        )

    def serve(self, seconds, answer):
        """Serve clients for some seconds; the next call goes on with those that are unfinished.

        `answer` returns the length of the metrics, their content type and their bytes in chunks.
        While another program has the port, this only waits; the next call tries again.
        """
        end = time.monotonic() + seconds
        if self._socket is None:
            self._socket = self._cannot_listen.attempt(_listen, *self._address)
            if self._socket is None:
                time.sleep(seconds)
                return
            self._selector.register(self._socket, selectors.EVENT_READ)
        while time.monotonic() < end:
            self._serve_once(end, answer)

    def close(self):
        # The selector is closed first, without taking clients out of it: a forked process shares
        # the selector with its parent, which may still use it.
        self._selector.close()
        for client in self._clients:
            client.close()
        self._clients.clear()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _serve_once(self, end, answer):
        """Wait for clients, at most until `end`, and read from or write to those that are ready."""
        next_deadline = min([end, *(client.deadline for client in self._clients)])
        ready = self._selector.select(max(0, next_deadline - time.monotonic()))
        # Time spent computing an answer does not count against the waiting clients.
        now = time.monotonic()
        for key, _ in ready:
            # The socket that listens has no Client.
            if key.data is not None:
                self._step(key.data)
        for client in [client for client in self._clients if client.deadline <= now]:
            self._drop(client)
        self._accept(answer)

    def _accept(self, answer):
        """Accept one client, if one is waiting; drop another if there are too many."""
        try:
            connection, _ = self._socket.accept()
        except BlockingIOError:
            return
        if len(self._clients) >= MOST_CLIENTS:
            # A client that has asked may be Prometheus, so it is dropped last.
            self._drop(min(self._clients, key=lambda each: (each.has_asked, each.deadline)))
        client = Client(connection, answer)
        self._clients.add(client)
        self._selector.register(connection, client.awaited, client)

    def _step(self, client):
        """Serve a client as far as possible without waiting; drop it once it is finished."""
        goes_on = False
        try:
            goes_on = client.step()
        finally:
            if not goes_on:
                self._drop(client)
        if goes_on:
            self._selector.modify(client.socket, client.awaited, client)

    def _drop(self, client):
        self._clients.remove(client)
        self._selector.unregister(client.socket)
        client.close()


def _listen(host, port):
    """Return a socket that listens, and does not block. Raises: OSError."""
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
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening
