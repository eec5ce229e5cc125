"""If a test fails, a client keeps Prometheus from its metrics, or sees what it must not see."""

import contextlib
import logging
import socket
import threading
import time
from unittest import mock

import fixtures
import psutil
import testtools

from placement.metrics import client as clients
from placement.metrics import listener
from tests import server

TEXT = [b"a 1\n", b"b 2\n" * 1000]
LENGTH = sum(map(len, TEXT))


class _Story(testtools.TestCase):
    host = "127.0.0.1"

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger(level=logging.WARNING))
        self.port = server.free_port()
        self.answered = 0

    def listen(self):
        """Serve a Listener, as another process would. Return a function that ends it."""
        ended = threading.Event()
        listening = listener.Listener(f"{self.host}:{self.port}")

        def serve():
            while not ended.is_set():
                # The answer is looked up each time, because a test may replace it.
                listening.serve(0.1, lambda: self.answer())
            listening.close()

        def end():
            ended.set()
            thread.join()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        self.addCleanup(end)
        return end

    def answer(self):
        self.answered += 1
        return LENGTH, "text/x-metrics", iter(TEXT)

    def connect(self):
        for _ in range(100):
            with contextlib.suppress(ConnectionRefusedError):
                client = socket.create_connection((self.host.strip("[]"), self.port), timeout=30)
                self.addCleanup(client.close)
                return client
            time.sleep(0.05)
        raise AssertionError("nobody listens")

    def ask(self, request):
        """Return the lines of the head of an answer, and its body."""
        client = self.connect()
        client.sendall(request)
        return self.read(client)

    def read(self, client):
        with client.makefile("rb") as file:
            head, _, body = file.read().partition(b"\r\n\r\n")
        return head.decode().split("\r\n"), body


class Answers(_Story):
    def setUp(self):
        super().setUp()
        self.listen()

    def test_a_get_of_metrics_is_answered_with_the_text(self):
        for request in (
            b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n",
            b"GET /metrics?name=x HTTP/1.0\r\n\r\n",
            b"GET /metrics HTTP/1.1\n\n",
        ):
            head, body = self.ask(request)
            self.assertEqual("HTTP/1.1 200 OK", head[0])
            self.assertIn("Content-Type: text/x-metrics", head)
            self.assertIn(f"Content-Length: {LENGTH}", head)
            self.assertEqual(b"".join(TEXT), body)

    def test_a_head_request_gets_no_body(self):
        head, body = self.ask(b"HEAD /metrics HTTP/1.1\r\n\r\n")
        self.assertIn(f"Content-Length: {LENGTH}", head)
        self.assertEqual(b"", body)

    def test_any_path_but_metrics_is_404(self):
        for path in ("/", "/metrics/", "/metrics%0A", "//metrics", "*", "http://x/metrics", ""):
            head, _ = self.ask(f"GET {path} HTTP/1.1\r\n\r\n".encode())
            self.assertEqual("HTTP/1.1 404 Not Found", head[0], path)
        self.assertEqual(0, self.answered)

    def test_any_method_but_get_and_head_is_405(self):
        for method in ("POST", "PUT", "DELETE", "get", "BREW"):
            head, _ = self.ask(f"{method} /metrics HTTP/1.1\r\n\r\n".encode())
            self.assertEqual("HTTP/1.1 405 Method Not Allowed", head[0], method)
            self.assertIn("Allow: GET, HEAD", head)
        self.assertEqual(0, self.answered)

    def test_malformed_requests_do_not_stop_the_listener(self):
        for request in (b"\r\n\r\n", b"\xff\x00\r\n\r\n", b"x" * 100_000, b"\x16\x03\x01\n\n"):
            with contextlib.suppress(OSError):
                self.ask(request)
        self.assertEqual(b"".join(TEXT), self.ask(b"GET /metrics HTTP/1.1\r\n\r\n")[1])


class OnIPv6(Answers):
    host = "[::1]"


GET = b"GET /metrics HTTP/1.1\r\n\r\n"
# More than the kernel buffers for a connection.
LARGE = 32 * 1024 * 1024
SECONDS = 2


class _ManyClients(_Story):
    def setUp(self):
        super().setUp()
        self.listen()

    def check_that_others_are_served(self):
        began = time.monotonic()
        self.assertEqual(b"".join(TEXT), self.ask(GET)[1])
        self.assertLess(time.monotonic() - began, SECONDS)

    def drip(self, drippers):
        """Let clients send an endless request, byte by byte, until this test ends."""
        ended = threading.Event()

        def drip():
            while not ended.wait(0.05):
                for client in drippers:
                    with contextlib.suppress(OSError):
                        client.sendall(b"a")

        thread = threading.Thread(target=drip, daemon=True)
        self.addCleanup(thread.join)
        self.addCleanup(ended.set)
        thread.start()

    def connect_slow_readers(self, number):
        """Return connections on which a long answer has begun."""
        self.answer = lambda: (LARGE, "text/plain", (b"x" * 65536 for _ in range(LARGE // 65536)))
        readers = [self.connect() for _ in range(number)]
        for reader in readers:
            reader.sendall(GET)
            self.assertEqual(b"HTTP/1.1 200", reader.recv(12))
        del self.answer
        return readers

    def connections(self):
        """Return how many connections the listener has."""
        return sum(
            conn.laddr.port == self.port and conn.status != psutil.CONN_LISTEN
            for conn in psutil.Process().net_connections("tcp4")
        )


class ManyClients(_ManyClients):
    """No client occupies a thread of the API, or delays the answer to another client."""

    def test_silent_clients_do_not_delay_other_scrapes(self):
        silent = [self.connect() for _ in range(20)]
        self.check_that_others_are_served()
        self.assertEqual([b""] * 20, [client.recv(1) for client in silent])

    def test_clients_that_send_slowly_do_not_delay_other_scrapes(self):
        drippers = [self.connect() for _ in range(20)]
        self.drip(drippers)
        self.check_that_others_are_served()

    def test_clients_that_do_not_read_do_not_delay_other_scrapes(self):
        self.connect_slow_readers(20)
        self.check_that_others_are_served()

    def test_all_kinds_of_slow_clients_together_do_not_delay_other_scrapes(self):
        _silent = [self.connect() for _ in range(20)]
        readers = self.connect_slow_readers(20)
        self.drip([self.connect() for _ in range(20)])
        for _ in range(5):
            self.check_that_others_are_served()
        # The slow clients also get what they have asked for.
        self.assertEqual(LARGE, len(self.read(readers[0])[1]))

    def test_too_many_clients_close_the_oldest_silent_connection(self):
        [reader] = self.connect_slow_readers(1)
        silent = [self.connect() for _ in range(listener.MOST_CLIENTS + 20)]
        self.check_that_others_are_served()
        # The client that was served has left.
        self.assertLess(self.connections(), listener.MOST_CLIENTS)
        # Twenty are too many, and two more make room for the reader and the client that was served.
        self.assertEqual([b""] * 22, [client.recv(1) for client in silent[:22]])
        self.assertEqual(LARGE, len(self.read(reader)[1]))

    def test_a_client_that_hangs_up_is_forgotten(self):
        for request in (b"", b"GET /me", GET):
            for client in [self.connect() for _ in range(20)]:
                client.sendall(request)
                client.close()
        self.check_that_others_are_served()
        self.assertEqual(0, self.connections())


class SlowClients(_ManyClients):
    """The listener does not wait long for any of these clients."""

    def setUp(self):
        for name in ("SECONDS_TO_ASK", "SECONDS_TO_READ"):
            self.enterContext(mock.patch.object(clients, name, 0.5))
        super().setUp()

    def check_that_it_is_left(self, client):
        client.settimeout(SECONDS)
        with contextlib.suppress(ConnectionResetError):
            while client.recv(65536):
                pass
        self.assertEqual(0, self.connections())

    def test_a_silent_client_is_disconnected(self):
        self.check_that_it_is_left(self.connect())

    def test_a_client_that_sends_slowly_is_disconnected(self):
        client = self.connect()
        self.drip([client])
        self.check_that_it_is_left(client)

    def test_a_client_that_does_not_read_is_disconnected(self):
        [reader] = self.connect_slow_readers(1)
        time.sleep(1)
        self.assertEqual(0, self.connections())
        # The client gets no more than what the kernel had buffered.
        self.assertLess(len(self.read(reader)[1]), LARGE)

class Ports(_Story):
    def listeners(self):
        return [
            conn
            for conn in psutil.net_connections("tcp4")
            if conn.laddr.port == self.port and conn.status == psutil.CONN_LISTEN
        ]

    def test_several_processes_share_a_port_and_survivors_continue_to_serve(self):
        ends = [self.listen() for _ in range(3)]
        deadline = time.monotonic() + 30
        while len(self.listeners()) < 3:
            self.assertLess(time.monotonic(), deadline, "one had to wait for another")
            time.sleep(0.05)
        for end in ends[1:]:
            end()
            for _ in range(10):
                self.assertEqual(LENGTH, len(self.ask(b"GET /metrics HTTP/1.1\r\n\r\n")[1]))
        self.assertEqual(20, self.answered)

    def test_a_port_in_use_is_logged_in_one_line_and_retried(self):
        with socket.create_server((self.host, self.port)):
            self.listen()
            time.sleep(0.5)
        [line] = self.log.output.splitlines()
        self.assertIn("Address already in use", line)
        self.assertEqual(LENGTH, len(self.ask(b"GET /metrics HTTP/1.1\r\n\r\n")[1]))

    def test_an_address_that_does_not_exist_is_logged_in_one_line(self):
        for address in ("127.0.0.1:0", "127.0.0.1:65536", "nosuchhost.invalid:9778"):
            with fixtures.FakeLogger(level=logging.WARNING) as log:
                nowhere = listener.Listener(address)
                for _ in range(3):
                    nowhere.serve(0, self.answer)
            [line] = log.output.splitlines()
            self.assertIn(address, line)
