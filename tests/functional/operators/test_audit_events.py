"""Audit events of live servers: one that a broker takes, and a broker that is down.

The first needs a RabbitMQ on this machine, with its usual account.
"""

import contextlib
import json
import socket
import threading
import time
import unittest
import urllib.error
import urllib.request
import uuid

import testtools

from tests import server

BROKER = ("127.0.0.1", 5672)


def is_reachable():
    try:
        socket.create_connection(BROKER, timeout=1).close()
    except OSError:
        return False
    return True


def put_trait(url, name):
    """Make a request that writes; return its id."""
    request = urllib.request.Request(
        f"{url}/traits/{name}",
        method="PUT",
        headers={
            "X-Auth-Token": str(uuid.uuid4()),
            "X-Roles": "admin",
            "OpenStack-API-Version": "placement latest",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers["x-openstack-request-id"]


def wait_for(find):
    """Call `find` until it returns something, and return that."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := find():
            return found
        time.sleep(0.1)
    raise AssertionError("not before long")


def _pump(source, target):
    # This goes on until one of the two sockets is closed.
    with contextlib.suppress(OSError):
        while received := source.recv(65536):
            target.sendall(received)


class Broker(testtools.TestCase):
    """If a test fails, an auditor misses something, or the cloud stops when its broker stops."""

    def serve(self, transport_url, **settings):
        serving = server.placement(
            audit__enabled="true",
            audit_middleware_notifications__driver="messagingv2",
            audit_middleware_notifications__transport_url=transport_url,
            **settings,
        )
        return self.enterContext(serving)

    @unittest.skipUnless(is_reachable(), "there is no RabbitMQ on this machine")
    def test_events_arrive_at_rabbitmq_as_soon_as_it_is_up(self):
        import kombu

        topic = f"placement-test-{uuid.uuid4()}"
        # Nothing listens there until the request has been answered.
        port = server.free_port()
        url = self.serve(
            f"rabbit://guest:guest@127.0.0.1:{port}//",
            audit_middleware_notifications__topics=topic,
        )
        request_id = put_trait(url, "CUSTOM_A")
        self.forward(port)
        connection = kombu.Connection(f"amqp://guest:guest@{BROKER[0]}:{BROKER[1]}//")
        self.addCleanup(connection.release)
        messages = wait_for(lambda: self.taken(connection, f"{topic}.info"))
        self.assertEqual(
            ["audit.http.request", "audit.http.response"], [each["event_type"] for each in messages]
        )
        for each in messages:
            self.assertRegex(each["publisher_id"], r"^placement\..")
            self.assertEqual(request_id, each["payload"]["initiator"]["request_id"])

    def forward(self, port):
        """Pass on to the broker what one client sends to a port, and pass the answers back."""
        listener = socket.create_server(("127.0.0.1", port))
        self.addCleanup(listener.close)

        def accept():
            near, _ = listener.accept()
            far = socket.create_connection(BROKER)
            self.addCleanup(near.close)
            self.addCleanup(far.close)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=(source, target), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

    def taken(self, connection, queue):
        """Return the two messages in a queue, and delete it; return None if they are not there."""
        channel = connection.channel()
        try:
            _, count, _ = channel.queue_declare(queue, passive=True)
            if count < 2:
                return None
            taken = [channel.basic_get(queue, no_ack=True) for _ in range(2)]
            channel.queue_delete(queue)
        except connection.channel_errors:
            return None
        return [json.loads(json.loads(each.body)["oslo.message"]) for each in taken]

    def metrics(self, port):
        """Return the lines of the metrics; None as long as no process listens."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
                return answer.read().decode().splitlines()
        except urllib.error.URLError:
            return None

    def test_while_the_broker_is_down_requests_are_served_and_drops_are_counted(self):
        port = server.free_port()
        url = self.serve(
            f"rabbit://127.0.0.1:{server.free_port()}//",
            audit__queue_size="2",
            metrics__enabled="true",
            metrics__listen=f"127.0.0.1:{port}",
        )
        for number in range(5):
            put_trait(url, f"CUSTOM_{number}")
        lines = wait_for(lambda: self.metrics(port))
        (dropped,) = [line for line in lines if line.startswith("placement_audit_events_dropped_t")]
        # Two wait in the queue, and the thread may have a third.
        self.assertIn(float(dropped.split()[1]), (7, 8))
