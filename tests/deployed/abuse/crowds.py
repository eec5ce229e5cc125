"""Many operators ask for reports of a large cloud at once, while a scheduler keeps asking."""

import concurrent.futures
import json
import statistics
import threading
import time

from bench.clouds import cloud
from tests.deployed.abuse import Row, operators, service

CLIENTS = 16
LASTING_SECONDS = 10
# How long a client waits after a refusal, which asks it to wait for five seconds.
PAUSE_SECONDS = 1

CANDIDATES = "/allocation_candidates?resources=VCPU:1&limit=10"
MIX = {"requests": [{"name": "any", "query": "resources=VCPU:1", "count": 1000}]}

deployment = operators.deployment


def crowd(method, path, body=None):
    """Return a function that lets many clients ask; it returns how long a scheduler waits."""

    def send(running):
        ended = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
            asked = [
                clients.submit(_ask_again, ended, running, method, path, body)
                for _ in range(CLIENTS)
            ]
            try:
                # After this pause, all clients have begun.
                time.sleep(PAUSE_SECONDS)
                seconds = list(_answer_seconds(running))
            finally:
                ended.set()
        answers = set().union(*(each.result() for each in asked))
        slowest = statistics.quantiles(seconds, n=100)[-1]
        return f"{', '.join(sorted(answers))}; candidates: p99 {slowest:.3f} s"

    return send


def _ask_again(ended, running, method, path, body):
    """Ask until the event `ended` is set. Return the statuses of the answers."""
    statuses = set()
    while not ended.is_set():
        status = running.request(method, path, body)
        statuses.add(status)
        if status != "200":
            ended.wait(PAUSE_SECONDS)
    return statuses


def _answer_seconds(running):
    """Yield the time that each query of a scheduler takes."""
    end = time.monotonic() + LASTING_SECONDS
    while (start := time.monotonic()) < end:
        assert running.request("GET", CANDIDATES) == "200"
        yield time.monotonic() - start


ROWS = [
    Row(
        title=f"{CLIENTS} clients that ask for {what} at once",
        send=crowd(method, path, body),
        # Each worker computes one report at a time, or stops it because it takes more effort than
        # allowed. Schedulers are served within a second.
        answer=r"(200|400)(, 429)?; candidates: p99 0\.\d+ s",
        cpu_seconds=3 * service.WORKERS * LASTING_SECONDS,
        mebibytes=200,
    )
    for what, method, path, body in (
        ("emptying an aggregate", "GET", f"{operators.EMPTYING}?aggregate={cloud.AGGREGATE}", None),
        ("what cannot be spared", "GET", "/operator/survival", None),
        ("who would have to go", "GET", "/operator/release?resources=VCPU:64", None),
        ("a mix", "POST", "/operator/fit", json.dumps(MIX).encode()),
        ("the flavors", "GET", "/operator/flavors", None),
        ("why nothing fits", "GET", "/operator/explanation?resources=VCPU:1000", None),
        ("how many fit", "GET", "/operator/fit?resources=VCPU:1", None),
        ("an audit", "GET", "/operator/audit", None),
    )
]
