"""python -m bench.spread: whether clients that ask at the same moment choose the same hosts.

Loads 2,000 equal hosts, each with room for one large instance, and starts 100 clients at once. Each
asks for candidates and claims the first of them, until it has a host. This is done twice: with
answers that begin with the oldest host, and with answers that begin with any host. Prints how many
claims were refused because another client had chosen the same host.
"""

import argparse
import contextlib
import functools
import itertools
import logging
import sys
import threading
import time
import uuid

from bench.clouds import cloud, loader
from bench.measuring.client import Client, Unexpected, side_by_side
from bench.running import databases, ending, servers
from bench.running.options import positive

LOG = logging.getLogger("bench")
OPTION = "OS_PLACEMENT__ROTATE_ALLOCATION_CANDIDATES"
# A host has room for one such instance.
QUESTION = f"/allocation_candidates?resources=VCPU:1,DISK_GB:{cloud.DISK_GB_OF_HOST}"
CONFLICT = 409


def main():
    return ending.run(_spread, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.spread", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=2000, help="default: 2000")
    add("--clients", type=positive, default=100, help="default: 100")
    add("--limit", type=positive, default=10, help="limit of each query; default: 10")
    options = parser.parse_args()
    if options.clients > options.hosts:
        parser.error("each client needs a host: use more hosts, or fewer clients")
    return options


def _spread(options):
    """Print a line for each way to begin an answer. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    with ending.cleanup() as stack:
        for name, value in (("the oldest host", "false"), ("any host", "true")):
            LOG.info("Starting a server whose answers begin with %s ...", name)
            launch = functools.partial(_launch, value)
            server = stack.enter_context(servers.started(f"{OPTION}={value}", options, launch))
            loader.load(server.database_url, cloud.Cloud(options.hosts), [])
            LOG.info("%d clients claim a host each ...", options.clients)
            claims, seconds = _claims(options, server.port, stack)
            sys.stdout.write(
                f"{options.engine}, answers begin with {name}: {options.clients} claims stored,"
                f" {claims - options.clients} refused, {seconds:.1f} s\n"
            )


def _launch(value, port, url, _directory):
    """Return the Launch of a server with this value of the OPTION."""
    launch = servers.this_server(port, url, workers=2)
    launch.environment[OPTION] = value
    return launch


def _claims(options, port, stack):
    """Return how many claims were sent, and how many seconds all of them took."""
    began = []
    start = threading.Barrier(options.clients, lambda: began.append(time.monotonic()))
    # If not all clients could be started, those that wait for the others end as well.
    stack.callback(start.abort)
    claim = functools.partial(_claim_a_host, port, options.limit)
    claims = side_by_side(options.clients, claim, [start] * options.clients)
    return sum(claims), time.monotonic() - began[0]


def _claim_a_host(port, limit, start):
    """Claim the first host of an answer until a claim succeeds. Return how many claims it took."""
    with contextlib.closing(Client(port)) as client:
        start.wait()
        for attempt in itertools.count(1):
            found = client.insist("GET", f"{QUESTION}&limit={limit}")["allocation_requests"]
            claim = found[0] | {
                "project_id": cloud.PROJECTS[0],
                "user_id": cloud.USERS[0],
                "consumer_generation": None,
                "consumer_type": cloud.CONSUMER_TYPE,
            }
            answer = client.ask("PUT", f"/allocations/{uuid.uuid4()}", claim)
            if answer.is_success:
                return attempt
            if answer.status != CONFLICT:
                raise Unexpected(f"A claim: {answer.status} {answer.body.decode()}")


if __name__ == "__main__":
    sys.exit(main())
