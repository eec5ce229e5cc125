"""python -m bench.counting: what [metrics] enabled costs a request.

Composes the application twice over one database, with the metrics and without, and lets them answer
the same requests in turns, in this process: no server is in between, which would make the share
look smaller. Prints the CPU time of a request, the median of all turns.
"""

import argparse
import contextlib
import itertools
import os
import statistics
import sys
import tempfile
import time

import webob
from oslo_log import log

from bench import cloud, databases, loader, reads
from bench.client import HEADERS, Unexpected
from placement import conf, connection, deploy
from placement.db import schema, sync

# The candidates among them are what counting takes most of.
READS = ("one provider", "flat, trait and aggregate: limit=10")
PER_TURN = 20


def main():
    options = _options()
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="placement-bench-"))
        url = stack.enter_context(
            databases.fresh(options.engine, options.database_server, directory)
        )
        os.environ |= {
            "OS_API__AUTH_STRATEGY": "noauth2",
            "OS_DEFAULT__LOG_FILE": f"{directory}/placement.log",
            "OS_PLACEMENT_DATABASE__CONNECTION": url,
            # As with several processes, which is what costs more.
            "PROMETHEUS_MULTIPROC_DIR": directory,
        }
        plan = cloud.Cloud(options.hosts)
        without, counting = _application("false"), _application("true")
        loader.load(url, plan, plan.instances(1))
        for title, requests in _questions(plan):
            plain, counted = _milliseconds((without, counting), requests, options.turns)
            sys.stdout.write(
                f"{title}: {plain:.3f} ms, with metrics {counted:.3f} ms,"
                f" {100 * (counted / plain - 1):+.1f} %\n"
            )


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.counting", description=__doc__)
    add = parser.add_argument
    add("--engine", choices=databases.ENGINES, default="sqlite", help="default: sqlite")
    add("--database-server", metavar="URL", help="where databases may be created")
    add("--hosts", type=int, default=1000, help="default: 1000")
    add("--turns", type=int, default=200, help=f"of {PER_TURN} requests; default: 200")
    return parser.parse_args()


def _application(enabled):
    os.environ["OS_METRICS__ENABLED"] = enabled
    configuration = conf.for_service()
    log.setup(configuration, "placement")
    database = connection.connect(configuration)
    schema.upgrade(database)
    sync.synchronise(database)
    return deploy.compose(configuration, database)


def _questions(plan):
    """Yield (title, iterator of requests)."""
    for read in reads.of(plan):
        if read.title in READS:
            yield read.title, map(_request, itertools.repeat(read.path))
    claims = (plan.claims(1)[0].request() for _ in itertools.count())
    yield "a claim", (_request(path, "PUT", json=document) for path, document in claims)


def _request(path, method="GET", **body):
    return webob.Request.blank(path, method=method, headers=HEADERS, **body)


def _milliseconds(applications, requests, turns):
    """Return the median CPU time of a request of each application."""
    spent = {application: [] for application in applications}
    for turn in range(turns):
        for application in applications if turn % 2 else applications[::-1]:
            sent = list(itertools.islice(requests, PER_TURN))
            began = time.process_time()
            for request in sent:
                answer = request.get_response(application)
            spent[application].append(1000 * (time.process_time() - began) / PER_TURN)
            if answer.status_int not in (200, 204):
                raise Unexpected(f"{sent[-1].path}: {answer.status} {answer.text}")
    return [statistics.median(spent[application]) for application in applications]


if __name__ == "__main__":
    main()
