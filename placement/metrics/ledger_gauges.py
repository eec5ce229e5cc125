"""How full the cloud is, according to the database.

The ledger is read in a thread of its own, and clients wait for it only a few seconds. If the
database does not answer, only that thread and its connection hang. Gauges of providers may take a
hundred megabytes of text, so they are written to files without names, which are sent in pieces.
"""

import contextlib
import os
import tempfile
import threading
import time
from typing import NamedTuple

import prometheus_client
from prometheus_client import core

from placement.background.log_throttle import ThrottledLog
from placement.metrics.directory import write_all
from placement.objects import capacity_report, ledger_audit

# A client waits at most this many seconds for the database; Prometheus would wait ten.
PATIENCE = 5
# A database that sends nothing for this many seconds counts as stuck.
_SILENCE = 1.5

# How many bytes of a file are in memory for each client.
_PIECE = 64 * 1024
_QUOTED = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})

# {name of a family: field of a NamedInventory}. openstack-exporter uses these names, so dashboards
# know them.
_PER_PROVIDER = {
    "openstack_placement_resource_total": "total",
    "openstack_placement_resource_reserved": "reserved",
    "openstack_placement_resource_allocation_ratio": "allocation_ratio",
    "openstack_placement_resource_usage": "used",
}
# {field of a Sum: help text of its family}. The field is part of the family's name.
_PER_CLASS = {
    "capacity": "Capacity of all providers.",
    "used": "Usage of all providers.",
    "largest_free": "The most that one provider has left.",
    "full": "Providers that have nothing left.",
    "providers": "Providers that offer the class.",
}


# To count these facts, the audit reads all allocations. So their counts are kept longer.
_FACTS = {
    check.name: f"{check.question}."
    for check in ledger_audit.CHECKS
    if check.name in ("instance_in_two_trees", "device_to_clean")
}
SECONDS_OF_FACTS = 300


class Facts(NamedTuple):
    """The number of findings for each fact in _FACTS, at a moment of time.monotonic()."""

    moment: float
    counts: dict[str, int]

    def families(self):
        """Yield prometheus-client's Metrics."""
        for name, count in self.counts.items():
            yield core.GaugeMetricFamily(f"placement_{name}", _FACTS[name], value=count)

    def are_recent(self):
        return time.monotonic() < self.moment + SECONDS_OF_FACTS


class Snapshot(NamedTuple):
    """The ledger as it was at a moment of time.monotonic().

    `sums` is text for Prometheus; `files` are TextFiles with such text about the providers. The
    Facts may be from an earlier moment.
    """

    moment: float
    sums: bytes
    files: tuple
    facts: Facts

    def length(self):
        return len(self.sums) + sum(file.length() for file in self.files)

    def chunks(self):
        """Yield the bytes of the text."""
        yield self.sums
        for file in self.files:
            yield from file.chunks()


class TextFile:
    """The text of one family of metrics, in a temporary file without a name.

    The file is closed when nothing refers to this object any more: a client may still be reading
    the file when there is a newer one.
    """

    def __init__(self, file):
        self._file = file

    def __del__(self):
        self.close()

    def close(self):
        self._file.close()

    def write(self, text):
        """Append text. Raises: OSError if there is no room."""
        write_all(self._file, text.encode())

    def length(self):
        return os.fstat(self._file.fileno()).st_size

    def chunks(self):
        """Yield the bytes of the text."""
        offset = 0
        while piece := os.pread(self._file.fileno(), _PIECE, offset):
            offset += len(piece)
            yield piece


class State(NamedTuple):
    """What is known of the ledger; `snapshot` is None until the ledger has been read once."""

    is_readable: bool
    snapshot: Snapshot | None

    def families(self):
        """Yield prometheus-client's Metrics: the snapshot's age, and whether the reading worked."""
        yield core.GaugeMetricFamily(
            "placement_ledger_readable",
            "Whether the last reading of the ledger worked: 1, or 0.",
            value=self.is_readable,
        )
        age = core.GaugeMetricFamily(
            "placement_ledger_age_seconds", "Seconds since the ledger was read."
        )
        if self.snapshot is not None:
            age.add_metric((), time.monotonic() - self.snapshot.moment)
        yield age


class LedgerGauges:
    """The ledger of a Database, read at most once in `interval` seconds.

    per_provider: whether to add the gauges of each provider, up to four for each inventory
    """

    def __init__(self, database, interval, per_provider):
        self._database = database
        self._interval = interval
        self._per_provider = per_provider
        # The latest _Reading of this process, and the newest Snapshot that any reading has made.
        self._reading = None
        self._snapshot = None
        self._unreadable = ThrottledLog("The metrics of the ledger cannot be read")

    def continue_in_child(self):
        """In a forked process, forget the thread that only its parent has."""
        self._reading = None

    def state(self):
        """Return the State, after another reading of the ledger if the last one is too old.

        This waits up to PATIENCE seconds for the database, or less if the database falls silent.
        """
        if self._reading is None or self._reading.is_older_than(self._interval):
            earlier_facts = self._snapshot and self._snapshot.facts
            reading = _Reading(self._database, self._per_provider, earlier_facts)
            reading.begin()
            self._reading = reading
        reading = self._reading
        reading.wait()
        if reading.snapshot is not None:
            self._snapshot = reading.snapshot
        if reading.error is not None:
            self._unreadable.log(reading.error)
        return State(reading.error is None and not reading.is_stuck(), self._snapshot)


class _Reading:
    """One reading of the ledger.

    `earlier_facts` are the Facts of the newest Snapshot; None if there is no Snapshot yet.
    Attributes: snapshot, a Snapshot; error, an exception. When the reading has
        ended, exactly one of the two is set.
    """

    def __init__(self, database, per_provider, earlier_facts):
        self._database = database
        self._per_provider = per_provider
        self._earlier_facts = earlier_facts
        # Moments of time.monotonic(); _heard_at is when the database last answered.
        self._begun_at = self._heard_at = time.monotonic()
        self._ended_at = None
        self._ended = threading.Event()
        self.snapshot = None
        self.error = None

    def begin(self):
        threading.Thread(target=self._run, daemon=True, name="ledger").start()

    def wait(self):
        """Wait until the reading ends, PATIENCE is used up, or the database has fallen silent."""
        while not self._ended.is_set() and (seconds := self._seconds_left()) > 0:
            self._ended.wait(seconds)

    def _seconds_left(self):
        return min(self._begun_at + PATIENCE, self._heard_at + _SILENCE) - time.monotonic()

    def is_older_than(self, seconds):
        """Whether the reading ended at least `seconds` ago."""
        return self._ended.is_set() and time.monotonic() >= self._ended_at + seconds

    def is_stuck(self):
        """Whether the database has been silent for longer than _SILENCE seconds."""
        return not self._ended.is_set() and time.monotonic() >= self._heard_at + _SILENCE

    def _run(self):
        try:
            self.snapshot = self._read()
        except Exception as error:
            # The database or the file system has failed. Nothing else would report an error in this
            # thread.
            self.error = error
        self._ended_at = time.monotonic()
        self._ended.set()

    def _read(self):
        """Return a Snapshot with open files. If there is an error, close them."""
        with contextlib.ExitStack() as files, self._database.reports() as conn:
            moment = self._hear()
            facts = self._read_facts(conn)
            sums = prometheus_client.generate_latest(
                _Sums(capacity_report.sums(conn, capacity_report.BY_CLASS), facts)
            )
            self._hear()
            written = []
            if self._per_provider:
                written = [files.enter_context(_file()) for _ in _PER_PROVIDER]
                _write_heads(written)
                for inventories in capacity_report.inventories(conn):
                    self._hear()
                    _write(written, inventories)
            # There was no error: from here on, nothing closes the files.
            files.pop_all()
            return Snapshot(moment, sums, tuple(written), facts)

    def _read_facts(self, conn):
        """Return the Facts: the earlier ones while they are recent, else new ones."""
        if self._earlier_facts is not None and self._earlier_facts.are_recent():
            return self._earlier_facts
        counts = {}
        for name in _FACTS:
            counts[name] = ledger_audit.count_fact(conn, name)
            self._hear()
        return Facts(time.monotonic(), counts)

    def _hear(self):
        """Note that the database has just answered; return the moment."""
        self._heard_at = time.monotonic()
        return self._heard_at


class _Sums:
    """A collector of the Sums of classes and the Facts, for prometheus-client."""

    def __init__(self, sums, facts):
        self._sums = sums
        self._facts = facts

    def collect(self):
        yield from self._facts.families()
        for name, text in _PER_CLASS.items():
            family = core.GaugeMetricFamily(
                f"placement_class_{name}", text, labels=("resourcetype",)
            )
            for each in self._sums:
                family.add_metric((each.class_name,), getattr(each, name))
            yield family


def _file():
    """Return a context manager for a new TextFile, which is closed at the end."""
    return contextlib.closing(TextFile(tempfile.TemporaryFile(buffering=0)))


def _write_heads(files):
    """Write the first lines of the files, which are in the order of _PER_PROVIDER."""
    for file, name in zip(files, _PER_PROVIDER, strict=True):
        file.write(f"# HELP {name} {name}\n# TYPE {name} gauge\n")


def _write(files, inventories):
    """Write NamedInventories to each family's file, ten times as fast as prometheus-client would.

    `files` are in the order of _PER_PROVIDER. Names of classes need no backslashes.
    """
    labelled = [
        (f'{{hostname="{_quoted(each.provider_name)}",resourcetype="{each.class_name}"}}', each)
        for each in inventories
    ]
    for file, (name, field) in zip(files, _PER_PROVIDER.items(), strict=True):
        lines = [f"{name}{labels} {getattr(each, field)}\n" for labels, each in labelled]
        file.write("".join(lines))


def _quoted(text):
    return text.translate(_QUOTED)
