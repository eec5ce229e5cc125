"""Times and rates of servers that take turns, so that noise hits all of them alike."""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import time
from typing import NamedTuple

from bench import cloud
from bench.client import Client, Unexpected

WARM_UP = 5
NO_ANSWER = "no answer"


class Read(NamedTuple):
    """A GET whose answer has a list, under `key`, of an `expected` length."""

    title: str
    path: str
    key: str
    expected: int


class ClaimRate(NamedTuple):
    """Claims stored per second, and the claims that were not: {status or NO_ANSWER: count}."""

    per_second: float
    refusals: collections.Counter


def read_milliseconds(servers, read, repetitions):
    """Return {Server: [milliseconds until the answer was read, ...]}.

    Raises: Unexpected if an answer is not what the Read expects.
    """
    for server in _in_turns(servers, WARM_UP):
        _milliseconds(server, read)
    times = collections.defaultdict(list)
    for server in _in_turns(servers, repetitions):
        times[server].append(_milliseconds(server, read))
    return times


def claim_rates(servers, clients, rounds):
    """Return {Server: [ClaimRate, ...]} for all rounds but the first, which is a warm-up.

    Shape: a round is a list of claims; every server gets the same. They are dealt out to
    a number of clients that send them side by side.
    """
    rates = collections.defaultdict(list)
    for number, claims in enumerate(rounds):
        for server in _in_turn(servers, number):
            rate = _claim_rate(server, clients, claims)
            if number:
                rates[server].append(rate)
    return rates


def _in_turns(servers, repetitions):
    for repetition in range(repetitions):
        yield from _in_turn(servers, repetition)


def _in_turn(servers, number):
    """The servers, each of them equally often the first."""
    return servers if number % 2 == 0 else servers[::-1]


def _milliseconds(server, read):
    with contextlib.closing(Client(server.port)) as client:
        start = time.perf_counter()
        answer = client.ask("GET", read.path)
        elapsed = time.perf_counter() - start
    if answer.status != 200:
        raise Unexpected(f"{server.name}: {read.path}: {answer.status} {answer.body.decode()}")
    found = len(json.loads(answer.body)[read.key])
    if found != read.expected:
        raise Unexpected(
            f"{server.name}: {read.path}: {found} {read.key} instead of {read.expected}"
        )
    return elapsed * 1000


def _claim_rate(server, clients, claims):
    shares = [claims[number::clients] for number in range(clients)]
    executor = concurrent.futures.ThreadPoolExecutor(clients)
    try:
        start = time.perf_counter()
        futures = [executor.submit(_refusals, server, share) for share in shares]
        refusals = sum((future.result() for future in futures), collections.Counter())
        elapsed = time.perf_counter() - start
    finally:
        # After an interrupt do not wait here: the threads end when the server is gone.
        executor.shutdown(wait=False, cancel_futures=True)
    return ClaimRate((len(claims) - refusals.total()) / elapsed, refusals)


def _refusals(server, claims):
    """Make claims one after the other over one connection; count those that failed."""
    refusals = collections.Counter()
    with contextlib.closing(Client(server.port)) as client:
        for claim in claims:
            try:
                answer = client.ask("PUT", *cloud.claim_request(claim))
            except (OSError, http.client.HTTPException):
                refusals[NO_ANSWER] += 1
                continue
            if not answer.is_success:
                refusals[answer.status] += 1
    return refusals
