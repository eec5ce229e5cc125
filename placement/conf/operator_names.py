"""Names that the operator gives to the UUIDs of aggregates, projects, users and consumers.

Placement knows these only by their UUIDs. The names come from a file, whose path is the option
`names` in [operator].
Source: doc/how-to/find.rst.
"""

import bisect
import os
import re
import reprlib
import threading
import time

from oslo_log import log

from placement.conf import bounded_file

LOG = log.getLogger(__name__)

# The largest file, in bytes: enough for some hundred thousand names.
MOST_BYTES = 64 * 1024 * 1024

# A UUID with dashes, or without, as Keystone writes the ids of projects and users.
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b")


class UnreadableNames(ValueError):
    """No names can be read from the file; the message is a sentence without a newline."""


class GivenNames:
    """The names in a file, which is read again when it has changed.

    Without a path, nothing has a name. While the file cannot be read, the previous names stay, and
    the log says once what is wrong.
    """

    def __init__(self, path):
        self._path = path
        # What _stamp() returned when the file was last read, and the time.monotonic() when it was
        # last checked. Both are None at first.
        self._stamp = None
        self._looked_at = None
        # {id: name}.
        self._names = {}
        # (name in lower case, id), sorted.
        self._sorted = []
        self._lock = threading.Lock()

    def of(self, ids):
        """Return {id: name} for those ids that have a name."""
        names = self._current()
        return {key: names[key] for key in ids if key in names}

    def added_to(self, text):
        """Return a string, such as an id, with the name of each UUID in brackets after the UUID."""
        names = self._current()
        if text in names:
            return f"{text} ({names[text]})"
        return _UUID.sub(
            lambda found: f"{found[0]} ({names[found[0]]})" if found[0] in names else found[0],
            text,
        )

    def beginning_with(self, text, most):
        """Return up to `most` ids whose names begin with `text`, ignoring case."""
        # This reads the file again if it has changed.
        self._current()
        beginning = text.casefold()
        start = bisect.bisect_left(self._sorted, (beginning,))
        ids = []
        for name, id_ in self._sorted[start : start + most]:
            if not name.startswith(beginning):
                break
            ids.append(id_)
        return ids

    def _current(self):
        """Return {id: name}; check the file first, but at most once a second."""
        if self._path and self._is_time() and self._lock.acquire(blocking=False):
            try:
                self._looked_at = time.monotonic()
                self._read_if_changed()
            finally:
                self._lock.release()
        return self._names

    def _is_time(self):
        return self._looked_at is None or time.monotonic() - self._looked_at >= 1

    def _read_if_changed(self):
        """Read the file again if it has changed; if that fails, keep the names and log why."""
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            names = load(self._path)
        except UnreadableNames as error:
            fault = error
        else:
            self._names = names
            self._sorted = sorted((name.casefold(), id_) for id_, name in names.items())
            return
        # This is outside the except clause: inside, oslo.log would add the exception to the line.
        outcome = "The previous names stay." if self._names else "Nothing has a name."
        LOG.error("[operator] names: %s %s", fault, outcome)


def load(path):
    """Return {id: name} from a file that holds it as a JSON object. Raises: UnreadableNames."""
    try:
        names = bounded_file.parsed(bounded_file.read(path, MOST_BYTES), path)
    except bounded_file.UnreadableFile as error:
        raise UnreadableNames(str(error)) from error
    if not isinstance(names, dict):
        raise UnreadableNames(f"{path} is not a JSON object that gives the name of each UUID.")
    for id_, name in names.items():
        if not isinstance(name, str):
            value = reprlib.repr(name)
            raise UnreadableNames(
                f"{path} is wrong: the name of {id_!r} is {value}, which is not text."
            )
    # An empty name counts as no name.
    return {id_: name for id_, name in names.items() if name}


def _stamp(path):
    """Return a value that changes when the file or its permissions change."""
    try:
        status = os.stat(path)
    except OSError as error:
        # As long as the file cannot be checked, this value stays the same.
        return error.errno
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
