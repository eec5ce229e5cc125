"""Judge a history: all that is wrong in it, and what is only worth a note."""

import bisect
import collections
import itertools
import time
from typing import NamedTuple

from tests.deployed.history import effects, linearization, read_faults, snapshot_faults
from tests.deployed.history.faults import Fault, Kind
from tests.deployed.history.history import History

# How many of each kind a report shows in full.
_SHOWN = 3
# A read on another server that is outdated by more than this is not just stale, but a fault.
_MOST_SECONDS_LATE = 10
_READS = (effects.Seen, effects.PartlySeen)


class Verdict(NamedTuple):
    """`faults`: what no correct service does; `notes`: what a cluster or a busy service may do."""

    history: History
    faults: list
    notes: list
    seconds: float

    @property
    def kinds(self):
        return {fault.kind for fault in self.faults}

    def __str__(self):
        unknown = sum(
            count
            for (_, status), count in self.history.outcomes.items()
            if status is None or status >= 500
        )
        lines = [
            f"{self.history.size} calls, {unknown} of them without an answer, of"
            f" {len(self.history.consumers)} consumers and {len(self.history.providers)} providers,"
            f" with {len(self.history.snapshots)} snapshots: {len(self.faults)} faults,"
            f" {len(self.notes)} notes; checked in {self.seconds:.1f} s",
            *_in_words("Fault", self.faults),
            *_in_words("Note", self.notes),
        ]
        return "\n".join(lines)


def check(calls):
    """Return the Verdict about Calls."""
    began = time.monotonic()
    history = History(calls)
    found = [
        *(Fault(Kind.UNEXPECTED, call.path, [call]) for call in history.unexpected),
        *snapshot_faults.find_faults(history),
        *read_faults.find_faults(history),
        *_find_disorder(history),
    ]
    tolerable = {Kind.NEEDLESS} if len(history.servers) == 1 else {Kind.NEEDLESS, Kind.STALE}
    return Verdict(
        history,
        [fault for fault in found if fault.kind not in tolerable],
        [fault for fault in found if fault.kind in tolerable],
        time.monotonic() - began,
    )


def _find_disorder(history):
    """Yield a Fault for each object whose calls have no order."""
    for kind, objects in (("consumer", history.consumers), ("provider", history.providers)):
        for uuid, operations in objects.items():
            fault = _disorder(f"{kind} {uuid}", operations, is_cluster=len(history.servers) > 1)
            if fault is not None:
                yield fault


def _disorder(name, operations, is_cluster):
    """Return the Fault if the calls on an object have no order, or one only with an allowance."""
    certain, uncertain = operations.certain, operations.uncertain
    stuck = linearization.find_fault(certain, uncertain, None)
    if stuck is None:
        return None
    willing = [each for each in certain if not isinstance(each.effect, effects.Differed)]
    if linearization.find_fault(willing, uncertain, None) is None:
        return Fault(Kind.NEEDLESS, _in_short(name, stuck), [])
    if is_cluster:
        # Stale reads are found and counted elsewhere, one by one.
        stuck = linearization.find_fault(_with_early_reads(willing), uncertain, None)
        if stuck is None:
            return None
    kind = Kind.NO_ORDER if stuck.is_certain else Kind.UNDECIDED
    return Fault(kind, _in_short(name, stuck), [each.call for each in stuck.next_operations])


def _with_early_reads(operations):
    """Return Operations whose reads may show what was true since their server's last write."""
    writes = collections.defaultdict(list)
    for effect, call in sorted(operations, key=lambda each: each.call.end):
        if not isinstance(effect, _READS):
            writes[call.server].append(call)
    latest = {server: _LatestBegin(calls) for server, calls in writes.items()}
    return [
        each
        if not isinstance(each.effect, _READS)
        else _begun_early(each, latest.get(each.call.server, _LatestBegin([])))
        for each in operations
    ]


class _LatestBegin:
    """Of the calls that had ended before a given moment, the latest moment at which one began."""

    def __init__(self, calls):
        self._ends = [call.end for call in calls]
        self._begins = [*itertools.accumulate((call.begin for call in calls), max)]

    def before(self, moment):
        index = bisect.bisect_left(self._ends, moment)
        return self._begins[index - 1] if index else float("-inf")


def _begun_early(read, latest):
    begin = max(latest.before(read.call.begin), read.call.begin - _MOST_SECONDS_LATE)
    return read._replace(call=read.call._replace(begin=begin))


def _in_short(name, stuck):
    return f"{name}: after {stuck.length} calls its state is {stuck.state}"


def _in_words(title, faults):
    by_kind = collections.defaultdict(list)
    for fault in faults:
        by_kind[fault.kind].append(fault)
    for kind, some in by_kind.items():
        yield f"{title}: {kind} ({len(some)})"
        for fault in some[:_SHOWN]:
            yield f"  {fault.text}"
            for call in fault.calls:
                yield f"    {call}"
