"""Calls, and files of calls: a line of JSON for each, in the order in which they ended."""

import contextlib
import json
import math
import os
import tempfile
import threading
from typing import Any, NamedTuple

CONCURRENT_UPDATE = "placement.concurrent_update"
# The statuses that a client may get if others were faster, or took what was left.
_REFUSALS = {("PUT", 409), ("POST", 409), ("DELETE", 409), ("DELETE", 404)}


class Request(NamedTuple):
    """What a client sends; `body` is the value that is sent as JSON."""

    method: str
    path: str
    body: Any = None


class Answer(NamedTuple):
    """`status` is None if there was no answer; `document` is the value of the JSON in the body."""

    status: int | None
    document: Any = None


class Call(NamedTuple):
    """A request and its answer, with the moments between which the client waited, in seconds."""

    client: int
    server: str
    begin: float
    end: float
    method: str
    path: str
    body: Any
    status: int | None
    answer: Any

    @property
    def is_acknowledged(self):
        return self.status is not None and self.status < 400

    @property
    def is_refused(self):
        """Whether the answer says that nothing was stored."""
        return self.status is not None and 400 <= self.status < 500

    @property
    def is_unknown(self):
        """Whether the answer, or the lack of one, leaves open whether the call was carried out."""
        return self.status is None or self.status >= 500

    @property
    def is_unexpected(self):
        """Whether the answer is an error that neither an outage (503) nor a refusal explains."""
        is_error = self.status is not None and self.status >= 400
        return is_error and self.status != 503 and (self.method, self.status) not in _REFUSALS

    @property
    def is_acknowledged_claim(self):
        is_claim = self.method != "GET" and self.path.startswith("/allocations")
        return is_claim and self.is_acknowledged

    @property
    def is_concurrent_update(self):
        return self.status == 409 and self.answer["errors"][0]["code"] == CONCURRENT_UPDATE

    def __str__(self):
        outcome = "no answer" if self.status is None else self.status
        return (
            f"{self.begin:.6f} to {self.end:.6f}, client {self.client} at {self.server}:"
            f" {self.method} {self.path} {json.dumps(self.body)}: {outcome}"
        )


class Recorder:
    """Writes the calls of several threads to a file."""

    def __init__(self, path):
        self._path = path
        self._lock = threading.Lock()
        self._last_claims = {}

    def __enter__(self):
        self._file = open(self._path, "a")
        return self

    def __exit__(self, *_error):
        self._file.close()

    def record(self, call):
        line = json.dumps(call._asdict())
        with self._lock:
            self._file.write(f"{line}\n")
            if call.is_acknowledged_claim:
                self._last_claims[call.server] = call.end

    def last_claim_at(self, server):
        """Return when the server acknowledged its last claim, or minus infinity."""
        return self._last_claims.get(server, -math.inf)


def read(path):
    """Yield the Calls of a file."""
    with open(path) as lines:
        for line in lines:
            yield Call(**json.loads(line))


@contextlib.contextmanager
def kept_if_faulty(name):
    """Yield the path of a file, which is removed unless the block fails."""
    handle, path = tempfile.mkstemp(prefix=f"history-{name}-", suffix=".jsonl")
    os.close(handle)
    try:
        yield path
    except BaseException:
        print(f"The history is in {path}")
        raise
    os.remove(path)
