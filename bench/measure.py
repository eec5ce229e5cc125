"""Times, rates and costs of servers that take turns, so that noise hits all of them alike."""

import collections
import contextlib
import http.client
import json
import statistics
import time
from typing import NamedTuple

from bench import processes
from bench.client import Client, Unexpected, side_by_side

WARM_UP = 3
# A short request is repeated for that long: the CPU time of processes is counted in hundredths of
# a second.
TURN_SECONDS = 0.2
QUERIES_OF_A_TURN = 50
NO_ANSWER = "no answer"


class Turn(NamedTuple):
    """What came of a server's turn.

    values         milliseconds of each request; or how many of them succeeded per second
    requests       how many there were
    workers_cpu    CPU seconds of the server; database_cpu of its database, None if not known
    refusals       {status or NO_ANSWER: count}
    """

    values: list[float]
    requests: int
    workers_cpu: float
    database_cpu: float | None
    refusals: collections.Counter


class Figure(NamedTuple):
    """What all turns of a server come to: the median, and CPU milliseconds for each request.

    slow: the 99th percentile of the milliseconds, if there are at least a hundred
    """

    median: float
    workers_cpu: float | None = None
    database_cpu: float | None = None
    refusals: collections.Counter = collections.Counter()
    slow: float | None = None


def read_figures(servers, read, repetitions):
    """Return the Figures of a Read, in milliseconds until the answer was read, by server.

    Raises: Unexpected if an answer is not what the Read expects.
    """

    def turn(server, number):
        return _turn(server, _read_for_a_while, read)

    return _figures(servers, turn, WARM_UP, repetitions)


def query_figures(servers, paths):
    """Return the Figures of different queries for candidates, each asked once, by server.

    The servers take turns of some queries each. The first turns are a warm-up.
    Raises: Unexpected if the servers do not find equally many.
    """
    starts = range(0, len(paths), QUERIES_OF_A_TURN)
    chunks = [paths[start : start + QUERIES_OF_A_TURN] for start in starts]
    counts = {}

    def turn(server, number):
        return _turn(server, _ask_each, chunks[number], counts)

    return _figures(servers, turn, 1, len(chunks) - 1)


def claim_figures(servers, clients, rounds):
    """Return the Figures of rounds of claims, in claims stored per second, by server.

    Shape: a round is a list of claims; every server gets the same. They are dealt out to
    a number of clients that send them side by side. The first round is a warm-up.
    """

    def turn(server, number):
        return _turn(server, _claim_all, clients, rounds[number])

    return _figures(servers, turn, 1, len(rounds) - 1)


def memory_figures(servers):
    """Return the Figures of the memory of the largest worker, in MiB, by server."""
    return [Figure(processes.memory_mebibytes(server.pid)) for server in servers]


def _figures(servers, turn, warm_up, repetitions):
    """Call turn(server, number) for each server in turn; each is equally often the first."""
    turns = collections.defaultdict(list)
    for number in range(warm_up + repetitions):
        for server in servers if number % 2 == 0 else servers[::-1]:
            turns[server].append(turn(server, number))
    return [_figure(turns[server][warm_up:]) for server in servers]


def _figure(turns):
    requests = sum(turn.requests for turn in turns)

    def cpu_milliseconds(seconds):
        return None if None in seconds else 1000 * sum(seconds) / requests

    values = [value for turn in turns for value in turn.values]
    return Figure(
        statistics.median(values),
        cpu_milliseconds([turn.workers_cpu for turn in turns]),
        cpu_milliseconds([turn.database_cpu for turn in turns]),
        sum((turn.refusals for turn in turns), collections.Counter()),
        statistics.quantiles(values, n=100)[-1] if len(values) >= 100 else None,
    )


def _turn(server, send, *arguments):
    """Return the Turn of what send(server, *arguments) returns: values, requests, refusals."""
    pids = server.pid, server.database_pid
    before = [pid and processes.cpu_seconds(pid) for pid in pids]
    values, requests, refusals = send(server, *arguments)
    after = [pid and processes.cpu_seconds(pid) for pid in pids]
    cpu = [pid and end - begin for pid, begin, end in zip(pids, before, after, strict=True)]
    return Turn(values, requests, *cpu, refusals)


def _read_for_a_while(server, read):
    times = []
    with contextlib.closing(Client(server.port)) as client:
        while sum(times) < TURN_SECONDS * 1000:
            times.append(_milliseconds(server, client, read))
    return times, len(times), collections.Counter()


def _ask_each(server, paths, counts):
    """Ask queries once each; `counts` has how many candidates another server found."""
    times = []
    with contextlib.closing(Client(server.port)) as client:
        for path in paths:
            milliseconds, found = _ask(server, client, path, "allocation_requests")
            if found != counts.setdefault(path, found):
                raise Unexpected(
                    f"{server.name}: {path}: {found} candidates instead of {counts[path]}"
                )
            times.append(milliseconds)
    return times, len(times), collections.Counter()


def _milliseconds(server, client, read):
    milliseconds, found = _ask(server, client, read.path, read.key)
    if found != read.expected:
        raise Unexpected(
            f"{server.name}: {read.path}: {found} {read.key} instead of {read.expected}"
        )
    return milliseconds


def _ask(server, client, path, key):
    """Return how long an answer took, and how much it has under `key`."""
    start = time.perf_counter()
    answer = client.ask("GET", path)
    elapsed = time.perf_counter() - start
    if answer.status != 200:
        raise Unexpected(f"{server.name}: {path}: {answer.status} {answer.body.decode()}")
    return elapsed * 1000, len(json.loads(answer.body)[key])


def _claim_all(server, clients, claims):
    requests = [claim.request() for claim in claims]
    shares = [requests[number::clients] for number in range(clients)]
    with side_by_side(clients) as executor:
        start = time.perf_counter()
        futures = [executor.submit(_refusals, server, share) for share in shares]
        refusals = sum((future.result() for future in futures), collections.Counter())
        elapsed = time.perf_counter() - start
    return [(len(claims) - refusals.total()) / elapsed], len(claims), refusals


def _refusals(server, requests):
    """Send claims one after the other over one connection; count those that failed."""
    refusals = collections.Counter()
    with contextlib.closing(Client(server.port)) as client:
        for path, document in requests:
            try:
                answer = client.ask("PUT", path, document)
            except (OSError, http.client.HTTPException):
                refusals[NO_ANSWER] += 1
                continue
            if not answer.is_success:
                refusals[answer.status] += 1
    return refusals
