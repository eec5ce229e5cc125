"""Audit events that wait. If a test fails, a broker holds up requests, or events are lost."""

import subprocess
import sys
import threading
from unittest import mock

import fixtures
import testtools

from placement.background import audit_events
from tests import fixtures as service_fixtures


class Broker:
    """A Notifier whose broker accepts nothing until it is `up`."""

    def __init__(self):
        self.up = threading.Event()
        self.sent = []

    def info(self, context, event_type, payload):
        self.up.wait(30)
        if payload == "bad":
            raise ValueError("no such event")
        self.sent.append((event_type, payload))


class Waiting(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.broker = Broker()
        self.dropped = mock.Mock()

    def events(self, most=3):
        return audit_events.AuditEvents(self.broker, most, self.dropped)

    def put_all(self, events, *payloads):
        for payload in payloads:
            events.put("audit.http.request", payload)

    def test_while_the_broker_is_down_events_wait_and_further_ones_are_dropped(self):
        events = self.events()
        self.put_all(events, *range(20))
        # By then, the thread may have taken one of them out of the queue.
        self.assertIn(self.dropped.inc.call_count, (16, 17))
        self.assertEqual(
            "Audit events are dropped: 3 events of this process already wait for the broker.\n",
            self.log.output,
        )
        self.broker.up.set()
        events.wait(30)
        self.assertEqual([0, 1, 2], [payload for _, payload in self.broker.sent][:3])
        self.assertEqual(20 - self.dropped.inc.call_count, len(self.broker.sent))

    def test_an_event_that_cannot_be_sent_does_not_stop_the_others(self):
        self.broker.up.set()
        events = self.events()
        self.put_all(events, "bad", "good")
        events.wait(30)
        self.assertEqual([("audit.http.request", "good")], self.broker.sent)
        self.assertEqual("Audit events cannot be sent: no such event\n", self.log.output)

    def test_waiting_for_a_broker_that_is_down_ends(self):
        events = self.events()
        self.put_all(events, 1)
        events.wait(0.01)
        self.assertEqual([], self.broker.sent)
        self.broker.up.set()

    def test_a_process_sends_its_events_before_it_ends_and_so_does_one_that_it_forks(self):
        script = (
            "import os, time; from placement.background import audit_events\n"
            "class Slow:\n"
            "    def info(self, *event): time.sleep(0.3); os.write(1, f'{event[-1]}\\n'.encode())\n"
            "events = audit_events.AuditEvents(Slow(), 9)\n"
            "events.put('type', 'of the parent'); events.wait(9)\n"
            "child = os.fork()\n"
            "events.put('type', 'of a child' if child == 0 else 'of the parent')\n"
            "if child: os.wait()\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        self.assertEqual(
            ["of a child", "of the parent", "of the parent"], sorted(run.stdout.splitlines())
        )


class Options(testtools.TestCase):
    def configuration(self, **overrides):
        return service_fixtures.configuration(audit__enabled=True, **overrides)

    def assert_refused(self, reason, configuration):
        error = self.assertRaises(
            audit_events.CannotAudit, audit_events.events_of, configuration
        )
        self.assertIn(reason, str(error))
        self.assertNotIn("\n", str(error))

    def notifications(self, option, value):
        configuration = self.configuration()
        # This registers the options that are set here.
        audit_events.events_of(configuration)
        configuration.set_override(option, value, "audit_middleware_notifications")
        return configuration

    def test_a_driver_that_does_not_exist_is_refused(self):
        self.assert_refused("no driver 'carrier'", self.notifications("driver", "carrier"))

    def test_a_broker_of_an_unknown_kind_is_refused(self):
        url = "pigeon://secret@127.0.0.1/"
        configuration = self.notifications("transport_url", url)
        self.assert_refused("pigeon", configuration)

    def test_the_size_of_the_queue_is_that_of_the_option(self):
        configuration = self.configuration(audit__queue_size=7)
        self.assertEqual(7, audit_events.events_of(configuration)._waiting.maxsize)
