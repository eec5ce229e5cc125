"""All metrics, in the text format of Prometheus."""

from typing import NamedTuple

import prometheus_client
from prometheus_client import core

from placement.metrics.directory import counts_of

CONTENT_TYPE = prometheus_client.CONTENT_TYPE_LATEST


class _Families(NamedTuple):
    """A collector for prometheus-client, with families that are already collected."""

    families: list

    def collect(self):
        return self.families


def of(families, ledger_state, directory=None, others=()):
    """Return (length, content type, chunks) for a process's Metrics and a ledger_gauges.State.

    With a Directory, the numbers of `families` are those of all processes that share it. `others`
    are Metrics about the cloud, which are shown with their own numbers.
    """
    if directory is not None:
        directory.write(counts_of(families))
        families = _with_numbers_of(directory.total(), families)
    shown = _Families([*families, *others, *ledger_state.families()])
    head = prometheus_client.generate_latest(shown)
    snapshot = ledger_state.snapshot
    if snapshot is None:
        return len(head), CONTENT_TYPE, [head]
    return len(head) + snapshot.length(), CONTENT_TYPE, _chunks(head, snapshot)


def _chunks(head, snapshot):
    yield head
    yield from snapshot.chunks()


def _with_numbers_of(counts, families):
    """Return Metrics like `families`, with the numbers of `counts`."""
    others = {
        family.name: core.Metric(family.name, family.documentation, family.type)
        for family in families
    }
    for numbers in counts:
        for (family, sample, labels), value in numbers.items():
            # A process of another release may have counted something unknown to this one.
            if family in others:
                others[family].add_sample(sample, dict(labels), value)
    return list(others.values())
