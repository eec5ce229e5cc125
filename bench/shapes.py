"""python -m bench.shapes: what a worker needs after thousands of queries that are never alike.

Starts this server with one worker, asks it about an ordinary cloud, half of the queries like nova's
and half with up to six groups, and prints the memory of the worker before, in between and after.
"""

import argparse
import contextlib
import itertools
import sys

from bench import databases, ending, loader, pair, processes, servers
from bench.clouds import ordinary_cloud
from bench.options import positive


def main():
    return ending.run(_measure, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.shapes", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=50, help="of the cloud; default: 50")
    add("--queries", type=positive, default=20_000, help="default: 20000")
    add("--every", type=positive, default=5000, metavar="QUERIES",
        help="how often the memory is looked at; default: 5000")
    return parser.parse_args()


def _measure(options):
    """Write the memory of the worker. Afterwards no server or database is left.

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
        _write(options.engine, 0, server)
        queries = plan.nova_queries(options.queries // 2), plan.wild_queries(options.queries // 2)
        paths = itertools.chain.from_iterable(zip(*queries, strict=True))
        for asked, path in enumerate(paths, 1):
            client.insist("GET", path)
            if asked % options.every == 0:
                _write(options.engine, asked, server)


def _write(engine, asked, server):
    memory = processes.memory_mebibytes(server.pid)
    sys.stdout.write(f"{engine}, after {asked} queries: {memory:.0f} MiB\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
