"""Times, rates and costs of servers that take turns, so that noise affects all of them equally."""

import collections
import contextlib
import functools
import http.client
import json
import logging
import random
import statistics
import time
from typing import NamedTuple

from bench.measuring import processes
from bench.measuring.client import TooSlow, Unexpected, side_by_side

LOG = logging.getLogger("bench")
WARM_UP = 3
WARM_UP_QUERIES = 50
# How many queries are measured after the warm-up: as many as the 99th percentile needs.
LEAST_QUERIES = WARM_UP_QUERIES + 100
NO_ANSWER = "no answer"


class Turn(NamedTuple):
    """The results of a server's turn.

    values         the milliseconds that each request took, or how many succeeded per second
    requests       how many requests were sent
    workers_cpu    the CPU seconds of the server
    database_cpu   the CPU seconds of its database, or None if they are not known
    refusals       how many requests failed, {status or NO_ANSWER: count}
    """

    values: list[float]
    requests: int
    workers_cpu: float
    database_cpu: float | None
    refusals: collections.Counter


class Figure(NamedTuple):
    """A summary of all turns of a server: the median, and CPU milliseconds per request.

    median      the median of the values, or None if nothing was measured
    highest     the largest of the values
    slow        the 99th percentile of the milliseconds, if at least a hundred were measured
    gave_up     how many seconds a client waited for an answer before it gave up
    """

    median: float | None
    workers_cpu: float | None = None
    database_cpu: float | None = None
    refusals: collections.Counter = collections.Counter()
    slow: float | None = None
    highest: float | None = None
    gave_up: int | None = None


def alternating_figures(servers, turns, repetitions, warm_up=WARM_UP):
    """Return the Figures of each of `turns`, by server.

    In each round, turn(server, number) is called for one server and then for the other; each goes
    first equally often. The turns come in a different order each time, so no server or database
    repeats what it has just done.

    A server that is too slow for a turn does not get that turn again. Its workers are killed: they
    would go on, and disturb the others.
    """
    shuffled = random.Random(len(turns))
    taken, too_slow = collections.defaultdict(list), set()
    for number in range(warm_up + repetitions):
        for turn in shuffled.sample(turns, len(turns)):
            for server in servers if number % 2 == 0 else servers[::-1]:
                if (turn, server) in too_slow:
                    continue
                try:
                    taken[turn, server].append(turn(server, number))
                except TooSlow as error:
                    LOG.info("%s: gave up after %d s: %s", server.name, server.patience, error)
                    too_slow.add((turn, server))
                    processes.kill_workers(server.pid)

    def figure(turn, server):
        if (turn, server) in too_slow:
            return Figure(None, gave_up=server.patience)
        return _figure(taken[turn, server][warm_up:])

    return [[figure(turn, server) for server in servers] for turn in turns]


def read(wanted):
    """Return a turn that sends a Read once.

    Raises (in the turn): Unexpected if the answer is not what the Read expects.
    """

    def turn(server, _number):
        return turn_of(server, _read, wanted)

    return turn


def task(prepare):
    """Return a turn that measures the requests that prepare(insist, number) returns, together.

    Each request is (method, path, document). `prepare` uses `insist`, a method of a Client, to send
    what has to come before these requests. Raises (in the turn): Unexpected if a request is
    refused.
    """

    def turn(server, number):
        with contextlib.closing(server.client()) as client:
            return turn_of(server, _send, client, prepare(client.insist, number))

    return turn


def query_figures(servers, paths):
    """Return the Figures, by server, of different queries for candidates, each asked once.

    The first ones are a warm-up.
    Raises: Unexpected if the servers do not find the same number of candidates.
    """
    counts = {}

    def turn(server, number):
        return turn_of(server, _query, paths[number], counts)

    repetitions = len(paths) - WARM_UP_QUERIES
    return alternating_figures(servers, [turn], repetitions, WARM_UP_QUERIES)[0]


def claim_figures(servers, clients, rounds):
    """Return the Figures, by server, of rounds of claims: claims that were stored per second.

    Shape: a round is a list of claims; every server gets the same. They are distributed to a number
    of clients that send them at the same time. The first round is a warm-up.
    """

    def turn(server, number):
        return turn_of(server, _claim_all, clients, rounds[number])

    return alternating_figures(servers, [turn], len(rounds) - 1, warm_up=1)[0]


def memory_figures(servers):
    """Return the Figures of the memory of the largest worker, in MiB, by server."""
    return [Figure(processes.memory_mebibytes(server.pid)) for server in servers]


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
        max(values),
    )


def turn_of(server, send, *arguments):
    """Return the Turn in which send(server, *arguments) returns values, requests and refusals."""
    pids = server.pid, server.database_pid
    before = [pid and processes.cpu_seconds(pid) for pid in pids]
    values, requests, refusals = send(server, *arguments)
    after = [pid and processes.cpu_seconds(pid) for pid in pids]
    cpu = [pid and end - begin for pid, begin, end in zip(pids, before, after, strict=True)]
    return Turn(values, requests, *cpu, refusals)


def _read(server, wanted):
    times, found = _ask(server, wanted.path, wanted.key)
    if found != wanted.expected:
        raise Unexpected(
            f"{server.name}: {wanted.path}: {found} {wanted.key} instead of {wanted.expected}"
        )
    return times, 1, collections.Counter()


def _query(server, path, counts):
    """Ask a query once; `counts` has how many candidates another server found."""
    times, found = _ask(server, path, "allocation_requests")
    if found != counts.setdefault(path, found):
        raise Unexpected(f"{server.name}: {path}: {found} candidates instead of {counts[path]}")
    return times, 1, collections.Counter()


def _ask(server, path, key):
    """Return [how long an answer took], and the number of items under `key`."""
    with contextlib.closing(server.client()) as client:
        milliseconds, answer = _timed(client, "GET", path)
    if answer.status != 200:
        raise Unexpected(f"{server.name}: {path}: {answer.status} {answer.body.decode()}")
    return [milliseconds], len(json.loads(answer.body)[key])


def _send(server, client, requests):
    milliseconds = 0
    for request in requests:
        elapsed, answer = _timed(client, *request)
        if not answer.is_success:
            what = " ".join(request[:2])
            raise Unexpected(f"{server.name}: {what}: {answer.status} {answer.body.decode()}")
        milliseconds += elapsed
    return [milliseconds], 1, collections.Counter()


def _timed(client, *request):
    start = time.perf_counter()
    answer = client.ask(*request)
    return (time.perf_counter() - start) * 1000, answer


def _claim_all(server, clients, claims):
    requests = [claim.request() for claim in claims]
    shares = [requests[number::clients] for number in range(clients)]
    start = time.perf_counter()
    counters = side_by_side(clients, functools.partial(_refusals, server), shares)
    elapsed = time.perf_counter() - start
    refusals = sum(counters, collections.Counter())
    return [(len(claims) - refusals.total()) / elapsed], len(claims), refusals


def _refusals(server, requests):
    """Send claims one after the other over one connection; count those that failed."""
    refusals = collections.Counter()
    with contextlib.closing(server.client()) as client:
        for path, document in requests:
            try:
                answer = client.ask("PUT", path, document)
            except (OSError, http.client.HTTPException):
                refusals[NO_ANSWER] += 1
                continue
            if not answer.is_success:
                refusals[answer.status] += 1
    return refusals
