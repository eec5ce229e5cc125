"""A history before, during and after a fault, and what must hold in it.

FAULTS_SECONDS says how long clients send requests before the fault, and again after it. A fault
that lasts takes the same time.
"""

import collections
import contextlib
import itertools
import os
import time
from typing import NamedTuple

import requests

from placement.objects import ledger_audit
from tests.deployed.history import calls, checker, traffic
from tests.deployed.history.faults import Kind
from tests.functional import invariants

SECONDS = float(os.environ.get("FAULTS_SECONDS", 3))
# A service that does not serve again by then is considered permanently down.
_RECOVERY_SECONDS = 90
# A service without a fault acknowledges a claim within this time, even on a busy machine.
_CLAIM_SECONDS = SECONDS + 60
# A request that reads from the database, and is answered even if the database is empty.
_PROBE = "/traits?name=in:HW_CPU_X86_VMX"
# What a checker finds if acknowledged writes are gone.
_LOSSES = {Kind.OWN_WRITE, Kind.NO_ORDER, Kind.TWICE}


class Figures(NamedTuple):
    """What a report says about a story.

    Times are in seconds. `in_doubt` counts the writes that may or may not have been carried out.
    `pause` is the longest time between two acknowledged writes. `recovery` is the time from the end
    of the fault until each server served; `relapses` counts the later calls that got no answer, or
    a 503. `late` is the longest time from the acknowledgement of a write to a read that missed the
    write.
    """

    fault: str
    seconds: float
    answers: collections.Counter
    in_doubt: int
    pause: float
    recovery: float
    relapses: int
    faults: int
    notes: collections.Counter
    late: float

    def __str__(self):
        answers = ", ".join(
            f"{status or 'none'}: {count}" for status, count in sorted(self.answers.items())
        )
        notes = "; ".join(f"{count} notes: {kind}" for kind, count in self.notes.items())
        if Kind.STALE in self.notes:
            notes += f", up to {self.late:.3f} s late"
        return (
            f"{self.fault}: {self.seconds:.0f} s, {self.answers.total()} calls ({answers}),"
            f" {self.in_doubt} writes in doubt, {self.pause:.1f} s without a write,"
            f" {self.recovery:.1f} s to recover, {self.relapses} relapses, {self.faults} faults;"
            f" {notes or 'no notes'}"
        )


class Story:
    """A mixin for a TestCase whose tests each plant a fault: the history, and what it must show.

    `may_be_stale`: whether a server may show a write later than another acknowledges it
    """

    may_be_stale = False

    @contextlib.contextmanager
    def history(self, fault, urls, databases, keeps_writes=True):
        """Let clients send requests to the servers at `urls` before, during and after the block.

        Then judge the history.

        The block plants a fault and ends it. Then all the `databases` must be sound. Without
        `keeps_writes`, the checker must also find that some acknowledged writes are gone.
        """
        with calls.kept_if_faulty(type(self).__name__) as path:
            clients = traffic.Traffic(urls, path)
            clients.create_world()
            with clients.flowing() as recorder:
                self._let_claim(recorder, urls)
                yield
                end = time.monotonic()
                self._wait_until_served(urls)
                served = time.monotonic()
                self._let_claim(recorder, urls)
            clients.take_snapshots()
            recorded = [*calls.read(path)]
            verdict = checker.check(recorded)
            print(_figures(fault, recorded, end, served, verdict))
            self._check_faults(verdict, keeps_writes)
            for database in databases:
                self._check_books(database)

    def _let_claim(self, recorder, urls):
        """Wait for SECONDS, and longer if clients have not yet claimed through each server."""
        begin = time.monotonic()
        time.sleep(SECONDS)
        for url in urls:
            while recorder.last_claim_at(url) < begin:
                self.assertLess(time.monotonic(), begin + _CLAIM_SECONDS, f"no claim at {url}")
                time.sleep(0.1)

    def _check_faults(self, verdict, keeps_writes):
        if keeps_writes:
            self.assertEqual([], verdict.faults, verdict)
            if not self.may_be_stale:
                self.assertNotIn(Kind.STALE, {note.kind for note in verdict.notes}, verdict)
        else:
            self.assertTrue(verdict.kinds & _LOSSES, verdict)
            self.assertFalse(verdict.kinds & {Kind.CAPACITY, Kind.UNEXPECTED}, verdict)

    def _wait_until_served(self, urls):
        deadline = time.monotonic() + _RECOVERY_SECONDS
        for url in urls:
            while status(url) != 200:
                self.assertLess(time.monotonic(), deadline, f"{url} does not serve again")
                time.sleep(0.1)

    def _check_books(self, database):
        with database.reader() as conn:
            findings = ledger_audit.audit(conn)
            self.assertEqual([], [each for each in findings if each.check.is_fault and each.count])
            self.assertEqual([], invariants.violations(conn))


def status(url):
    """Return what a service answers when it is asked for something from the database, or None."""
    try:
        return requests.get(url + _PROBE, headers=traffic.HEADERS, timeout=5).status_code
    except requests.RequestException:
        return None


def _acknowledged_writes(recorded):
    return [call for call in recorded if call.method != "GET" and call.is_acknowledged]


def _lateness(stale):
    write, read = stale.calls
    return read.begin - write.end


def _figures(fault, recorded, end, served, verdict):
    ends = sorted(call.end for call in _acknowledged_writes(recorded))
    return Figures(
        fault,
        recorded[-1].end - recorded[0].begin,
        collections.Counter(call.status or 0 for call in recorded),
        sum(call.method != "GET" and call.is_unknown for call in recorded),
        max((later - end for end, later in itertools.pairwise(ends)), default=0),
        served - end,
        sum(call.begin > served and call.is_unknown for call in recorded),
        len(verdict.faults),
        collections.Counter(note.kind for note in verdict.notes),
        max((_lateness(note) for note in verdict.notes if note.kind is Kind.STALE), default=0),
    )
