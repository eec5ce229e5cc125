"""The requests that this process has served."""

import functools

import prometheus_client
from prometheus_client import core, values

from placement import cost

# Without this, prometheus-client adds a series to each metric, for a start time that nobody needs.
prometheus_client.disable_created_metrics()

# Without this, if PROMETHEUS_MULTIPROC_DIR is set, prometheus-client would keep its numbers in
# files that are mapped into memory, and a full file system would kill the process.
values.ValueClass = values.MutexValue

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_CANDIDATES = (0, 1, 10, 100, 1000, 10_000, 100_000)


class Requests:
    """Counts requests. The caller must bound the number of label values.

    Attributes: connections_in_use, connections_waiting and policy_unreadable, three gauges, and
    audit_events_dropped, a counter.
    """

    def __init__(self):
        self._registry = registry = prometheus_client.CollectorRegistry()
        self._requests = _counter(
            registry, "placement_requests", "Requests answered.", ("route", "method", "status")
        )
        self._seconds = _by_labels(
            _histogram(
                registry,
                "placement_request_seconds",
                "Time from a request to its answer.",
                ("route", "method"),
            )
        )
        self._refusals = _counter(
            registry, "placement_refusals", "Errors sent, by their code.", ("code",)
        )
        self._retries = _counter(
            registry, "placement_retries", "Restarts of transactions, by cause.", ("cause",)
        )
        stages = _histogram(
            registry,
            "placement_candidates_stage_seconds",
            "Time of queries for allocation candidates, by stage.",
            ("stage",),
        )
        self._stages = {stage: stages.labels(stage) for stage in cost.STAGES}
        self._candidates = _histogram(
            registry,
            "placement_candidates",
            "Allocation candidates in an answer.",
            buckets=_CANDIDATES,
        )
        connections = core.Gauge(
            "placement_database_connections",
            "Connections that are in use, and threads that wait for one.",
            ("state",),
            registry=registry,
        )
        self.connections_in_use = connections.labels("in_use")
        self.connections_waiting = connections.labels("waiting")
        self.audit_events_dropped = core.Counter(
            "placement_audit_events_dropped",
            "Audit events that were not sent because too many waited for the broker.",
            registry=registry,
        )
        self.policy_unreadable = core.Gauge(
            "placement_policy_unreadable",
            "Processes that keep earlier rules because the policy files cannot be used.",
            registry=registry,
        )

    def add(self, route, method, status, spent, code=None):
        """Count an answered request; `spent` is its Cost, `code` the code of its error, if any."""
        self._requests(route, method, status).inc()
        self._seconds(route, method).observe(spent.seconds())
        if code is not None:
            self._refusals(code).inc()
        for cause, number in spent.restarts_by_cause.items():
            self._retries(cause).inc(number)
        if spent.candidate_count is not None:
            self._candidates.observe(spent.candidate_count)
            for stage, seconds in self._stages.items():
                seconds.observe(getattr(spent, stage))

    def families(self):
        """Return what has been counted, as a list of prometheus-client's Metrics."""
        return list(self._registry.collect())


def _by_labels(metric):
    # It takes prometheus-client longer to find the counter for some labels than to increase it.
    return functools.cache(metric.labels)


def _histogram(registry, name, text, labels=(), buckets=_SECONDS):
    return core.Histogram(name, text, labels, buckets=buckets, registry=registry)


def _counter(registry, name, text, labels):
    return _by_labels(core.Counter(name, text, labels, registry=registry))
