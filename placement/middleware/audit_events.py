"""Audit events (CADF) about requests that write, in the form that other OpenStack services use.

keystonemiddleware builds the events, two for each request: before and after it is served. It
would also send them while the client waits. So it is made to log them instead, and a handler of its
log puts them into the queue of an AuditEvents. Source: doc/how-to/audit-events.rst.
"""

import logging
import pathlib

from placement.background import audit_events
from placement.background.log_throttle import ThrottledLog
from placement.policies import operations

AUDIT_MAP = pathlib.Path(__file__).with_name("audit_map.conf")

# The paths where a POST only reads.
_READING = frozenset(
    each["path"]
    for rule in operations.RULES
    for each in rule.operations
    if rule.name == "placement:operator:read" and each["method"] == "POST"
)
_LOGGER = "placement.audit"


class Audit:
    """Middleware: puts events about requests into an AuditEvents.

    It belongs inside authentication, which says who the caller is.
    Raises: CannotAudit.
    """

    def __init__(self, application, configuration, events):
        """`events` is the AuditEvents to put the events into."""
        # This module imports a lot, and only this layer needs it.
        from keystonemiddleware import audit

        options = configuration.audit
        self._application = application
        self._ignored = {method.strip().upper() for method in options.ignore_req_list}
        _divert_log(events)
        with audit_events.errors_as_cannot_audit():
            self._audited = audit.AuditMiddleware(
                application,
                oslo_config_config=configuration,
                audit_map_file=options.audit_map_file or str(AUDIT_MAP),
                service_name="placement",
                use_oslo_messaging="False",
                log_name=_LOGGER,
            )

    def __call__(self, environ, start_response):
        is_ignored = environ["REQUEST_METHOD"] in self._ignored
        if is_ignored or environ.get("PATH_INFO") in _READING:
            return self._application(environ, start_response)
        return self._audited(environ, start_response)


def _divert_log(events):
    """Send what keystonemiddleware logs to `events`, an AuditEvents."""
    logger = logging.getLogger(_LOGGER)
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.handlers = [_Diversion(events)]


class _Diversion(logging.Handler):
    """Takes events out of log records. It logs other records, but only now and then."""

    def __init__(self, events):
        super().__init__()
        self._events = events
        self._throttled = ThrottledLog("Audit events", expected=Exception)

    def emit(self, record):
        # Only the records of events have a payload.
        if isinstance(record.args, dict) and "payload" in record.args:
            self._events.put(record.args["event_type"], record.args["payload"])
        else:
            self._throttled.log(record.getMessage())
