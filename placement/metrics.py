"""What is counted for Prometheus: of requests as they are served, and of the ledger when asked.

Imported where metrics are switched on only. The environment variable PROMETHEUS_MULTIPROC_DIR,
which prometheus-client reads then, names the directory in which the processes of a server add up
what they count; without it, each process tells of itself.
Source: doc/how-to/metrics.rst.
"""

import os
import threading
import time

import prometheus_client
from oslo_db import exception as db_exc
from prometheus_client import core, multiprocess

from placement.objects import fullness

# When each series began: twice as many series, which nobody asks for.
prometheus_client.disable_created_metrics()

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_CANDIDATES = (0, 1, 10, 100, 1000, 10_000, 100_000)
_STAGES = ("connection", "sql", "search", "rendering")

# The names of openstack-exporter, which dashboards know.
_PER_PROVIDER = {
    "total": "openstack_placement_resource_total",
    "reserved": "openstack_placement_resource_reserved",
    "allocation_ratio": "openstack_placement_resource_allocation_ratio",
    "used": "openstack_placement_resource_usage",
}
_PER_CLASS = {
    "capacity": "What can be promised, on all providers.",
    "used": "What consumers have taken, on all providers.",
    "largest_free": "The most that one provider has left.",
    "full": "Providers that have nothing left.",
    "providers": "Providers that offer the class.",
}


class Requests:
    """Counts requests: those of this process or, if they share a directory, of all."""

    content_type = prometheus_client.CONTENT_TYPE_LATEST

    def __init__(self):
        self._registry = prometheus_client.CollectorRegistry()
        own_registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            multiprocess.MultiProcessCollector(self._registry)
            own_registry = None

        def histogram(name, text, labels=(), buckets=_SECONDS):
            return core.Histogram(name, text, labels, buckets=buckets, registry=own_registry)

        def counter(name, text, labels):
            return core.Counter(name, text, labels, registry=own_registry)

        self._requests = counter(
            "placement_requests", "Requests answered.", ("route", "method", "status")
        )
        self._seconds = histogram(
            "placement_request_seconds", "From a request to its answer.", ("route", "method")
        )
        self._refusals = counter("placement_refusals", "Errors sent, by their code.", ("code",))
        self._retries = counter(
            "placement_retries", "Transactions begun again, by what was in the way.", ("cause",)
        )
        self._stages = histogram(
            "placement_candidates_stage_seconds",
            "Where the time of a query for allocation candidates went.",
            ("stage",),
        )
        self._candidates = histogram(
            "placement_candidates", "Allocation candidates in an answer.", buckets=_CANDIDATES
        )

        self._connections = core.Gauge(
            "placement_database_connections",
            "Connections that are in use, and threads that wait for one.",
            ("state",),
            registry=own_registry,
            multiprocess_mode="livesum",
        )

    def look_at(self, occupancy):
        """Note how many connections are in use; between requests, nothing changes."""
        self._connections.labels("in_use").set(occupancy.in_use)
        self._connections.labels("waiting").set(occupancy.waiting)

    def add(self, route, method, status, spent, code=None):
        """Count a request that is answered; `spent` is its Cost, `code` that of its error."""
        self._requests.labels(route, method, status).inc()
        self._seconds.labels(route, method).observe(spent.seconds())
        if code is not None:
            self._refusals.labels(code).inc()
        for cause, number in spent.retries.items():
            self._retries.labels(cause).inc(number)
        if spent.candidates is not None:
            self._candidates.observe(spent.candidates)
            for stage in _STAGES:
                self._stages.labels(stage).observe(getattr(spent, stage))

    def text(self):
        """Return what has been counted, in the text format of Prometheus."""
        return prometheus_client.generate_latest(self._registry)


class Ledger:
    """How full the cloud is, read at most once in so many seconds.

    per_provider: with the gauges of each provider, which are as many as four for each inventory
    """

    def __init__(self, database, interval, per_provider):
        self._database = database
        self._interval = interval
        self._per_provider = per_provider
        self._lock = threading.Lock()
        self._text = b""
        self._read_at = float("-inf")

    def text(self):
        """Return the gauges, in the text format of Prometheus."""
        with self._lock:
            if time.monotonic() >= self._read_at + self._interval:
                try:
                    self._text = self._read()
                except db_exc.DBConnectionError:
                    return prometheus_client.generate_latest(_Gauges(is_readable=False))
                self._read_at = time.monotonic()
            return self._text

    def _read(self):
        with self._database.reports() as conn:
            sums = fullness.sums(conn, "class")
            inventories = fullness.inventories(conn) if self._per_provider else []
        return prometheus_client.generate_latest(_Gauges(True, sums, inventories))


class _Gauges:
    """What a collector of prometheus-client is."""

    def __init__(self, is_readable, sums=(), inventories=()):
        self._is_readable = is_readable
        self._sums = sums
        self._inventories = inventories

    def collect(self):
        yield core.GaugeMetricFamily(
            "placement_ledger_readable", "Can the database be read?", value=self._is_readable
        )
        for name, text in _PER_CLASS.items():
            family = core.GaugeMetricFamily(
                f"placement_class_{name}", text, labels=("resourcetype",)
            )
            for each in self._sums:
                family.add_metric((each.class_name,), getattr(each, name))
            yield family
        for field, name in _PER_PROVIDER.items():
            family = core.GaugeMetricFamily(name, name, labels=("hostname", "resourcetype"))
            for each in self._inventories:
                family.add_metric((each.provider_name, each.class_name), getattr(each, field))
            yield family
