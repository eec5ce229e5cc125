"""A proxy in front of a database server: it can hold back all data, or close at a given message."""

import contextlib
import select
import socket
import threading


class Proxy:
    """Passes TCP connections on to `target`, a pair of host and port, until it is frozen.

    A context manager.

    port  the port of 127.0.0.1 at which it listens
    left  how many more messages it passes on before it closes a connection, or None
    """

    def __init__(self, target):
        self._target = target
        self._flows = threading.Event()
        self._flows.set()
        self._is_open = True
        self._freezes = False
        self._more = []
        self.left = None

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exception):
        self._is_open = False
        self._flows.set()
        # Wakes the thread that accepts connections.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def freeze(self):
        """Hold everything back, even the server's greeting to new connections."""
        self._flows.clear()

    def thaw(self):
        self._flows.set()

    def cut_after(self, messages, *more):
        """After this many more messages, from either side, close the connection of the last one.

        Do so again after each number of messages in `more`.
        """
        self.left = messages
        self._more = list(more)

    def freeze_after(self, messages):
        """Hold everything back after this many more messages, from either side."""
        self._freezes = True
        self.left = messages
        self._more = []

    def _passes_on_the_last(self):
        if self.left is None:
            return False
        self.left -= 1
        if self.left:
            return False
        self.left = self._more.pop(0) if self._more else None
        return True

    def _accept(self):
        while self._is_open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client):
        self._flows.wait()
        with client, socket.create_connection(self._target) as server:
            ways = {client: server, server: client}
            while self._is_open:
                for readable in select.select(list(ways), [], [], 1)[0]:
                    with contextlib.suppress(OSError):
                        data = readable.recv(65536)
                        self._flows.wait()
                        if data:
                            is_last = self._passes_on_the_last()
                            if is_last and self._freezes:
                                is_last = self._freezes = False
                                self._flows.clear()
                            ways[readable].sendall(data)
                            if not is_last:
                                continue
                    return
