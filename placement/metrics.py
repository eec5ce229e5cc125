"""What is counted for Prometheus: of requests as they are served, and of the ledger when asked.

Imported where metrics are switched on only. The environment variable PROMETHEUS_MULTIPROC_DIR,
which prometheus-client reads then, names the directory in which the processes of a server add up
what they count; without it, each process tells of itself.
Source: doc/how-to/metrics.rst.
"""

import functools
import os
import pathlib
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
    """Counts requests: those of this process or, if they share a directory, of all.

    Attributes: connections_in_use, connections_waiting and policy_readable, three gauges.
    """

    content_type = prometheus_client.CONTENT_TYPE_LATEST

    def __init__(self):
        self._registry = prometheus_client.CollectorRegistry()
        self._directory = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        own_registry = self._registry
        if self._directory:
            multiprocess.MultiProcessCollector(self._registry)
            own_registry = None

        def by_labels(metric):
            # The library takes longer to find what counts for some labels than to count.
            return functools.cache(metric.labels)

        def histogram(name, text, labels=(), buckets=_SECONDS):
            return core.Histogram(name, text, labels, buckets=buckets, registry=own_registry)

        def counter(name, text, labels):
            return by_labels(core.Counter(name, text, labels, registry=own_registry))

        self._requests = counter(
            "placement_requests", "Requests answered.", ("route", "method", "status")
        )
        self._seconds = by_labels(
            histogram(
                "placement_request_seconds", "From a request to its answer.", ("route", "method")
            )
        )
        self._refusals = counter("placement_refusals", "Errors sent, by their code.", ("code",))
        self._retries = counter(
            "placement_retries", "Transactions begun again, by what was in the way.", ("cause",)
        )
        stages = histogram(
            "placement_candidates_stage_seconds",
            "Where the time of a query for allocation candidates went.",
            ("stage",),
        )
        self._stages = {stage: stages.labels(stage) for stage in _STAGES}
        self._candidates = histogram(
            "placement_candidates", "Allocation candidates in an answer.", buckets=_CANDIDATES
        )
        connections = core.Gauge(
            "placement_database_connections",
            "Connections that are in use, and threads that wait for one.",
            ("state",),
            registry=own_registry,
            multiprocess_mode="livesum",
        )
        self.connections_in_use = connections.labels("in_use")
        self.connections_waiting = connections.labels("waiting")
        # Of several processes, one that cannot read them counts.
        self.policy_readable = core.Gauge(
            "placement_policy_readable",
            "Are the rules those of the policy files, and not those of before?",
            registry=own_registry,
            multiprocess_mode="livemin",
        )

    def add(self, route, method, status, spent, code=None):
        """Count a request that is answered; `spent` is its Cost, `code` that of its error."""
        self._requests(route, method, status).inc()
        self._seconds(route, method).observe(spent.seconds())
        if code is not None:
            self._refusals(code).inc()
        for cause, number in spent.retries.items():
            self._retries(cause).inc(number)
        if spent.candidates is not None:
            self._candidates.observe(spent.candidates)
            for stage, seconds in self._stages.items():
                seconds.observe(getattr(spent, stage))

    def text(self):
        """Return what has been counted, in the text format of Prometheus."""
        if self._directory:
            _forget_the_dead(pathlib.Path(self._directory))
        return prometheus_client.generate_latest(self._registry)


def _forget_the_dead(directory):
    """Remove what processes that are gone were doing; what they have done counts.

    No server has to tell which of its processes ended, and why.
    """
    for path in directory.glob("gauge_live*_*.db"):
        pid = int(path.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)


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
