"""python -m bench.shapes: how much memory a worker uses after thousands of different requests.

Starts this server with one worker and an ordinary cloud, and prints the memory of the worker
before, during and after these requests. Half of the queries are like nova's; the others have up to
six groups.
"""

import argparse
import contextlib
import functools
import sys

from bench.clouds import loader, ordinary_cloud
from bench.measuring import processes
from bench.running import databases, ending, pair, servers
from bench.running.options import positive


def main():
    return ending.run(_measure, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.shapes", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=50, help="hosts in the cloud; default: 50")
    add("--kind", choices=KINDS, default="queries", help="kind of requests; default: queries")
    add("--requests", type=positive, default=20_000, help="default: 20000")
    add("--every", type=positive, default=5000, metavar="REQUESTS",
        help="measure the memory after this many requests; default: 5000")
    return parser.parse_args()


def _measure(options):
    """Print the memory of the worker. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """

    def launch(port, url, _directory):
        return servers.this_server(port, url, workers=1)

    with ending.cleanup() as stack:
        server = stack.enter_context(servers.started("this server", options, launch))
        traits = pair.compute_traits([server], ordinary_cloud.TRAITS)
        plan = ordinary_cloud.OrdinaryCloud(options.hosts, traits)
        loader.load(server.database_url, plan, [])
        client = stack.enter_context(contextlib.closing(server.client()))
        client.insist("GET", "/resource_providers")
        _write(options, 0, server)
        for sent, request in enumerate(KINDS[options.kind](plan, options.requests), 1):
            client.insist(*request)
            if sent % options.every == 0:
                _write(options, sent, server)


def _queries(plan, count):
    kinds = plan.nova_queries(count // 2), plan.wild_queries(count // 2)
    return (("GET", path) for each in zip(*kinds, strict=True) for path in each)


def _claims(plan, count):
    """Yield claims, each followed by its release, so that the cloud never fills up."""
    for claim in plan.claims(count // 2):
        yield "POST", "/allocations", claim
        yield "POST", "/allocations", {uuid: _ended(claim[uuid]) for uuid in claim}


def _ended(claim):
    return claim | {"allocations": {}, "consumer_generation": 1}


def _of_operators(operation, plan, count):
    for path in ordinary_cloud.of_operators(plan.wild_queries(count), operation):
        yield "GET", path


# Each function returns the requests as arguments of Client.insist.
KINDS = {
    "queries": _queries,
    "claims": _claims,
    "explanations": functools.partial(_of_operators, "explanation"),
    "fits": functools.partial(_of_operators, "fit"),
}


def _write(options, sent, server):
    memory = processes.memory_mebibytes(server.pid)
    sys.stdout.write(f"{options.engine}, after {sent} {options.kind}: {memory:.0f} MiB\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
