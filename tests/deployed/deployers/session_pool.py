"""A proxy in front of MariaDB or MySQL that gives each transaction another session of the server.

It stands for proxies that share sessions between clients, and remember no setting of a client
except autocommit. It speaks only the part of the protocol that the driver PyMySQL needs to execute
statements.
"""

import contextlib
import queue
import socket
import socketserver
import struct
import threading

import pymysql
from pymysql.constants import CLIENT

_QUIT = b"\x01"
_RESET_CONNECTION = b"\x1f"
_OK, _END, _ERROR = 0x00, 0xFE, 0xFF
_IN_TRANSACTION, _MORE_RESULTS = 0x0001, 0x0008
# An OK without rows, for a client that logs in.
_WELCOME = b"\x00\x00\x00\x02\x00\x00\x00"
_SALT = b"12345678", b"901234567890"


class SessionPool(socketserver.ThreadingTCPServer):
    """Listens on 127.0.0.1 for clients of the database at `url`, a sqlalchemy.URL.

    Its `size` sessions take turns. With `resets`, each is reset after every transaction. A context
    manager. `clients_url` is the URL at which clients reach the database through the proxy.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 100

    def __init__(self, url, size, resets=False):
        self._url = url
        self._resets = resets
        # The session that has been idle longest comes first.
        self._resting = queue.Queue()
        for _ in range(size):
            self._resting.put(self._new_session())
        super().__init__(("127.0.0.1", 0), _Client)
        clients_url = url.set(host="127.0.0.1", port=self.server_address[1])
        self.clients_url = clients_url.render_as_string(hide_password=False)

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self.shutdown()
        self.server_close()
        while not self._resting.empty():
            self._resting.get().close()

    def _new_session(self):
        return _Session(
            pymysql.connect(
                host=self._url.host,
                port=self._url.port or 3306,
                user=self._url.username,
                password=self._url.password or "",
                database=self._url.database,
                autocommit=False,
                # SQLAlchemy asks for this, and proxies keep it.
                client_flag=CLIENT.FOUND_ROWS,
            )
        )

    def greeting(self):
        """Return the first message for a client, whose password is not checked."""
        session = self._resting.queue[0]
        first, second = _SALT
        capabilities = struct.pack("<I", session.capabilities)
        return (
            b"\x0a"
            + session.version.encode()
            + b"\0\1\0\0\0"
            + first
            + b"\0"
            + capabilities[:2]
            + b"\x21\x02\x00"
            + capabilities[2:]
            + b"\x15"
            + bytes(10)
            + second
            + b"\0mysql_native_password\0"
        )

    def take(self):
        return self._resting.get()

    def put_back(self, session):
        if session.is_in_transaction:
            # The client has gone.
            session.close()
            session = self._new_session()
        elif self._resets:
            session.reset()
        self._resting.put(session)


class _Session:
    """A session of the server, with its version, its capabilities and its state."""

    def __init__(self, connection):
        self._connection = connection
        self._socket, self._file = connection._sock, connection._rfile
        self.version = connection.get_server_info()
        self.capabilities = connection.server_capabilities
        self.is_in_transaction = False

    def close(self):
        self._connection.close()

    def reset(self):
        for command in (_RESET_CONNECTION, b"\x03SET autocommit = 0"):
            self.execute(_packet(0, command))

    def execute(self, command):
        """Send the packet of a command. Return the packets of the reply."""
        self._socket.sendall(command)
        reply = []
        has_more = True
        while has_more:
            reply.append(_read(self._file))
            if reply[-1][4] not in (_OK, _ERROR):
                # The number of columns. Their descriptions and the rows follow; each list has an
                # end packet.
                for _ in range(2):
                    reply += self._until_end()
            has_more = self._note_state(reply[-1])
        return b"".join(reply)

    def _until_end(self):
        is_last = False
        while not is_last:
            packet = _read(self._file)
            is_last = packet[4] == _ERROR or _is_end(packet)
            yield packet

    def _note_state(self, packet):
        """Return whether another result follows the one that this packet ends."""
        kind, rest = packet[4], packet[5:]
        if kind == _ERROR:
            # Only the next reply says whether the transaction is still open.
            self.is_in_transaction = True
            return False
        if kind == _OK:
            for _ in range(2):
                rest = _after_number(rest)
        else:
            rest = rest[2:]
        [status] = struct.unpack("<H", rest[:2])
        self.is_in_transaction = bool(status & _IN_TRANSACTION)
        return bool(status & _MORE_RESULTS)


class _Client(socketserver.StreamRequestHandler):
    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def handle(self):
        self.wfile.write(_packet(0, self.server.greeting()))
        _read(self.rfile)
        self.wfile.write(_packet(2, _WELCOME))
        session = None
        with contextlib.suppress(ConnectionError):
            while (command := _read(self.rfile))[4:5] != _QUIT:
                session = session or self.server.take()
                self.wfile.write(session.execute(command))
                if not session.is_in_transaction:
                    self.server.put_back(session)
                    session = None
        if session:
            self.server.put_back(session)


def _packet(number, payload):
    return struct.pack("<I", len(payload))[:3] + bytes([number]) + payload


def _read(file):
    """Return a packet with its header. Raises: ConnectionError at the end of a connection."""
    header = file.read(4)
    if len(header) < 4:
        raise ConnectionError
    [size] = struct.unpack("<I", header[:3] + b"\0")
    return header + file.read(size)


def _is_end(packet):
    return packet[4] == _END and len(packet) < 13


def _after_number(data):
    """Return what follows a number; the first byte of the number says how long the number is."""
    sizes = {0xFC: 3, 0xFD: 4, 0xFE: 9}
    return data[sizes.get(data[0], 1) :]
