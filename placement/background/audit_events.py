"""The queue of audit events, and the thread of each process that sends them.

A request only puts its events into the queue, so no request waits for the broker. The queue is
bounded: while the broker is down or slow, the newest events are dropped, counted and logged.
oslo.messaging sends the events, and retries those that the broker does not accept.
"""

import atexit
import contextlib
import os
import queue
import socket
import threading
import time
import warnings
from importlib import metadata

from placement.background.log_throttle import ThrottledLog

# The group in the configuration that has the options for the driver and its broker.
_MIDDLEWARE_GROUP = "audit_middleware_notifications"
_DEFAULT_DRIVER = "log"
# A number of retries that is never reached. -1 should mean forever, but oslo.messaging passes it to
# kombu, and kombu 5.7 then does not retry.
_FOREVER = 2**31
_DRIVERS = "oslo.messaging.notify.drivers"
# A process that ends waits at most this many seconds for its queue to become empty.
PATIENCE = 5


class CannotAudit(Exception):
    """The options for audit events cannot be used; the message is a sentence without a newline."""


class AuditEvents:
    """Events that wait to be sent by a Notifier of oslo.messaging.

    most: how many events may wait in a process
    dropped: a prometheus-client counter of the dropped events; None for no counter
    """

    def __init__(self, notifier, most, dropped=None):
        self._notifier = notifier
        self._most = most
        self._waiting = queue.Queue(maxsize=most)
        self._dropped = dropped
        # The id of the process that has started the thread.
        self._pid = None
        # Only requests take this lock. Servers fork before they serve requests, or from a process
        # that serves none, so no forked process gets a locked copy.
        self._lock = threading.Lock()
        self._full = ThrottledLog("Audit events are dropped", expected=Exception)
        self._failing = ThrottledLog("Audit events cannot be sent", expected=Exception)
        atexit.register(self.wait, PATIENCE)

    def put(self, event_type, payload):
        """Queue an event to be sent soon, or drop it if too many are waiting. Never waits."""
        self._begin()
        try:
            self._waiting.put_nowait((event_type, payload))
        except queue.Full:
            if self._dropped is not None:
                self._dropped.inc()
            self._full.log(f"{self._most} events of this process already wait for the broker.")

    def _begin(self):
        """Start the thread, unless this process has one: a forked process inherits none."""
        with self._lock:
            if self._pid != os.getpid():
                self._pid = os.getpid()
                # A forked process needs a queue of its own: an event in the copy of the parent's
                # queue would try to wake the parent's thread. The parent sends what it has queued.
                self._waiting = queue.Queue(self._most)
                threading.Thread(target=self._send, daemon=True, name="audit-events").start()

    def _send(self):
        while True:
            event = self._waiting.get()
            # The context of the request is empty: the event itself says who the caller was.
            self._failing.attempt(self._notifier.info, {}, *event)
            self._waiting.task_done()

    def wait(self, seconds):
        """Wait until all events are sent, but no longer than this many seconds."""
        deadline = time.monotonic() + seconds
        while self._waiting.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.01)


@contextlib.contextmanager
def errors_as_cannot_audit():
    """Context manager. Raises: CannotAudit, for any error inside, in a library or a file."""
    try:
        yield
    except Exception as error:
        reason = " ".join(str(error).split())
        raise CannotAudit(f"[audit] cannot be used as configured: {reason}") from error


def events_of(configuration, dropped=None):
    """Return the AuditEvents of a process. Raises: CannotAudit."""
    with errors_as_cannot_audit():
        notifier = _notifier(configuration)
    return AuditEvents(notifier, configuration.audit.queue_size, dropped)


def _notifier(configuration):
    """Return the Notifier of oslo.messaging that the configuration describes.

    Raises: ValueError for an unknown driver, and errors of the libraries.
    """
    # oslo.messaging imports a library that warns about itself, even if warnings are filtered out.
    with warnings.catch_warnings(record=True):
        # These two imports load a lot that only audit events need.
        import oslo_messaging
        from keystonemiddleware import audit

    for group, options in audit.list_opts():
        configuration.register_opts(options, group)
    options = configuration[_MIDDLEWARE_GROUP]
    transport = oslo_messaging.get_notification_transport(configuration, options.transport_url)
    # If audit events have no driver, the drivers for all notifications are used, if there are any.
    driver, drivers_of_all = options.driver, configuration.oslo_messaging_notifications.driver
    if driver is None and not drivers_of_all:
        driver = _DEFAULT_DRIVER
    _check_known([driver] if driver else drivers_of_all)
    publisher = f"placement.{socket.gethostname()}"
    retry = configuration.oslo_messaging_notifications.retry
    return oslo_messaging.Notifier(
        transport,
        publisher,
        driver=driver,
        topics=options.topics,
        retry=_FOREVER if retry < 0 else retry,
    )


def _check_known(drivers):
    """Raise ValueError for an unknown driver, which oslo.messaging would only log and ignore."""
    known = {each.name for each in metadata.entry_points(group=_DRIVERS)}
    for name in drivers:
        if name not in known:
            raise ValueError(
                f"there is no driver {name!r}; the drivers are {', '.join(sorted(known))}"
            )
