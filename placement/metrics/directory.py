"""What the processes of a server have counted together, in files in a directory that they share.

Each process has one file, which is replaced as a whole. The process holds a lock on its file
(flock) until it ends, for whatever reason. So it does not matter if process ids are reused, or if
containers have their own ids. The counts of dead processes are added up in one more file. With the
lock file, there are at most two more files than live processes.

A process reports the sum of the files, and takes even its own counts from its file. Otherwise, a
count that was reported but never written would be lost with its process, and the sum would fall:
Prometheus would take that for a restart.
"""

import contextlib
import fcntl
import os
import pathlib
import re
import threading
import time
import uuid
from typing import NamedTuple

import orjson

from placement.background.log_throttle import ThrottledLog

_GONE = "gone.json"
_LOCK = "lock"
_is_of_a_process = re.compile(r"[0-9a-f]{32}\.json").fullmatch

# A file that has no final name after this many seconds belongs to a process that was killed.
_ABANDONED = 60
# The most bytes that are read from a file: more than any process writes.
_LARGEST = 16 * 1024 * 1024
# If a file is added to the sum of dead processes while all are read, they are read again, until
# they have been read this many times.
_ATTEMPTS = 10


class Counts(NamedTuple):
    """Two dicts {(name of a family, name of a sample, pairs of label and value): number}.

    `counters` only grow. `gauges` say what a process is doing now, so they count only while the
    process lives.
    """

    counters: dict
    gauges: dict


def counts_of(families):
    """Return the Counts of prometheus-client's Metrics."""
    counts = Counts({}, {})
    for family in families:
        numbers = counts.gauges if family.type == "gauge" else counts.counters
        for sample in family.samples:
            numbers[family.name, sample.name, tuple(sample.labels.items())] = sample.value
    return counts


class _Changed(OSError):
    """Processes kept ending while the files were read."""


class Directory:
    """The files in a directory, one of which this process writes.

    Attributes: file_name, and pid, the id of the process that may write the file
    """

    def __init__(self, path):
        self._path = pathlib.Path(path)
        self.pid = os.getpid()
        self.file_name = f"{uuid.uuid4().hex}.json"
        # The descriptor of this process's file, which is locked, and the bytes in the file.
        self._descriptor = None
        self._written = None
        self._writing = threading.Lock()
        # The names of the files that were damaged when they were last read.
        self._unreadable = set()
        self._log = ThrottledLog("Processes cannot add up their counts, for metrics")
        self._log_of_damage = ThrottledLog("A metrics file is left out")
        # What total() returned last.
        self._last = Counts({}, {})

    def write(self, counts):
        """Replace the file of this process. If that fails, the old one stays."""
        with self._writing:
            self._log.attempt(self._write, counts)

    def total(self):
        """Return the Counts of all processes; the last known ones if the files cannot be read."""
        self._log.attempt(self.fold)
        self._last = self._log.attempt(self._sum, otherwise=self._last)
        return self._last

    def close(self):
        """Release the file of this process, as if the process had ended."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, counts):
        """Replace the file of this process, if its content changes. Raises: OSError."""
        content = orjson.dumps({kind: _as_list(numbers) for kind, numbers in _kinds(counts)})
        if content == self._written and self._is_in_place():
            return
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = self._replace(self.file_name, content)
        # The old file is closed only now, so there is always a locked file with this name.
        self.close()
        self._descriptor, self._written = descriptor, content

    def _is_in_place(self):
        own_path = self._path / self.file_name
        return self._descriptor is not None and _is_at(self._descriptor, own_path)

    def _replace(self, name, content):
        """Put a new file in place under this name; return its descriptor, which holds the lock."""
        new = self._path / f"{uuid.uuid4().hex}.new"
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with open(descriptor, "wb", buffering=0, closefd=False) as file:
                write_all(file, content)
            new.rename(self._path / name)
        except BaseException:
            os.close(descriptor)
            with contextlib.suppress(OSError):
                new.unlink()
            raise
        return descriptor

    def _sum(self):
        """Return the Counts of all processes, including those that have ended. Raises: _Changed."""
        for _ in range(_ATTEMPTS):
            before = self.read(_GONE)
            gone = _Gone.of(before)
            total = Counts(dict(gone.counters), {})
            self._note_unreadable(self._add_processes(total, gone.folded), gone.is_readable)
            # If the sum of dead processes has changed, a file was added to it meanwhile. That file
            # may have been counted twice or not at all.
            if self.read(_GONE) == before:
                return total
        raise _Changed("processes keep ending")

    def _add_processes(self, total, folded):
        """Add files of processes, except those in `folded`; return the names of damaged files."""
        unreadable = set()
        for name in self.names():
            if name in folded:
                continue
            try:
                content = self.read(name)
            except PermissionError:
                # This counts as damaged.
                content = b""
            if content is None:
                # The file was added to the sum of dead processes after the files were listed.
                continue
            # Gauges say what a process is doing now, so those of a dead process are thrown away.
            if not _add(total._replace(gauges={}) if self._is_dead(name) else total, content):
                unreadable.add(name)
        return unreadable

    def _note_unreadable(self, names, is_gone_readable):
        """Log the names of damaged files that were not damaged before."""
        if not is_gone_readable:
            names.add(_GONE)
        for name in names - self._unreadable:
            self._log_of_damage.log(f"{self._path / name} is damaged")
        self._unreadable = names

    def fold(self):
        """Add the files of dead processes to their sum, unless another process is doing so.

        If this process is killed halfway, nothing is counted twice: the file with the sum also
        names the files that have been added.
        """
        with self._alone() as is_alone:
            if not is_alone:
                return
            gone = _Gone.of(self.read(_GONE))
            for name in gone.folded:
                self._remove(name)
            dead = [name for name in self.names() if self._is_dead(name)]
            if dead:
                total = Counts(dict(gone.counters), {})
                for name in dead:
                    _add(total, self.read(name) or b"")
                content = {"counters": _as_list(total.counters), "folded": dead}
                # No process needs a lock on the sum.
                os.close(self._replace(_GONE, orjson.dumps(content)))
            for name in dead:
                self._remove(name)
            self._remove_abandoned()

    @contextlib.contextmanager
    def _alone(self):
        """Context manager: try to lock the directory for fold(); yield whether that has worked."""
        descriptor = os.open(self._path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            yield _lock(descriptor)
        finally:
            os.close(descriptor)

    def _is_dead(self, name):
        """Whether the process of a file has ended: a live process keeps its file locked."""
        path = self._path / name
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except (FileNotFoundError, PermissionError):
            # Another process has removed the file, or it is impossible to tell.
            return False
        try:
            # If the process has just replaced the file, the old one is unlocked, but has lost its
            # name.
            return _lock(descriptor) and _is_at(descriptor, path)
        finally:
            os.close(descriptor)

    def _remove_abandoned(self):
        """Remove new files that killed processes have left behind."""
        for path in self._path.glob("*.new"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _ABANDONED:
                    path.unlink()

    def names(self):
        """Return the names of the files that may be those of processes."""
        with os.scandir(self._path) as entries:
            return sorted(
                entry.name
                for entry in entries
                if _is_of_a_process(entry.name) and entry.is_file(follow_symlinks=False)
            )

    def read(self, name):
        """Return the bytes of a file, or None if it does not exist."""
        try:
            with open(self._path / name, "rb") as file:
                return file.read(_LARGEST)
        except FileNotFoundError:
            return None

    def _remove(self, name):
        (self._path / name).unlink(missing_ok=True)


class _Gone(NamedTuple):
    """The sum of the counters of dead processes, and the names of the files that are in it."""

    counters: dict
    folded: frozenset
    is_readable: bool

    @classmethod
    def of(cls, content):
        """Return the _Gone in the bytes of a file; if they are damaged, an empty _Gone."""
        if content is None:
            return cls({}, frozenset(), is_readable=True)
        try:
            document = orjson.loads(content)
            folded = frozenset(filter(_is_of_a_process, document["folded"]))
            return cls(_from_list(document["counters"]), folded, is_readable=True)
        except (ValueError, TypeError, KeyError):
            return cls({}, frozenset(), is_readable=False)


def write_all(file, content):
    """Write bytes to an unbuffered file. Raises: OSError if there is no room for all."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _lock(descriptor):
    """Lock a file, unless another process has done so. Return whether this process has the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor, path):
    """Whether the open file is the one at this path."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


def _add(total, content):
    """Add the bytes of a file to Counts; return False if they are damaged."""
    try:
        document = orjson.loads(content)
        pairs = [(numbers, _from_list(document[kind])) for kind, numbers in _kinds(total)]
    except (ValueError, TypeError, KeyError):
        return False
    for numbers, added in pairs:
        for key, value in added.items():
            numbers[key] = numbers.get(key, 0.0) + value
    return True


def _kinds(counts):
    """Return the pairs (kind, {key: number}) of Counts."""
    return counts._asdict().items()


def _as_list(numbers):
    """Return {(family, sample, labels): number} as rows, because keys in JSON are strings."""
    return [[*key, value] for key, value in numbers.items()]


def _from_list(rows):
    """Return {(family, sample, labels): number} from what _as_list has returned."""
    return {
        (str(family), str(sample), tuple((str(name), str(label)) for name, label in labels)): float(
            value
        )
        for family, sample, labels, value in rows
    }
