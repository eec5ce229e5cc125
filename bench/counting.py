"""python -m bench.counting: what [metrics] enabled costs a request.

Starts this server twice, with the metrics and without, each with a database of its own, and lets
them answer the same requests in turn. Prints the CPU time of the workers for a request.
"""

import argparse
import pathlib
import sys

from bench import databases, ending, loader, measure, reads, servers
from bench.clouds import cloud
from bench.options import positive

READS = ("one provider", "flat, trait and aggregate: limit=10")
CLAIMS_PER_ROUND = 100


def main():
    return ending.run(_compare, _options())


def _compare(options):
    """Write what each kind of request costs. Afterwards no server or database is left.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    plan = cloud.Cloud(options.hosts)
    with ending.cleanup() as stack:
        measured = [
            stack.enter_context(servers.started(name, options, launch))
            for name, launch in (("without", _plain), ("counting", _counting))
        ]
        for server in measured:
            loader.load(server.database_url, plan, plan.instances(1))
        chosen = [read for read in reads.of(plan) if read.title in READS]
        turns = [measure.read(each) for each in chosen]
        figures = measure.alternating_figures(measured, turns, options.repetitions)
        for read, of_read in zip(chosen, figures, strict=True):
            _write(read.title, of_read)
        rounds = [plan.claims(CLAIMS_PER_ROUND) for _ in range(options.repetitions + 1)]
        _write("a claim", measure.claim_figures(measured, 1, rounds))


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.counting", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=1000, help="default: 1000")
    add("--repetitions", type=positive, default=100, help="of turns; default: 100")
    return parser.parse_args()


def _plain(port, url, _directory):
    return servers.this_server(port, url, workers=1)


def _counting(port, url, directory):
    launch = servers.this_server(port, url, workers=1)
    launch.environment["OS_METRICS__ENABLED"] = "true"
    launch.environment["OS_METRICS__LISTEN"] = f"127.0.0.1:{servers.free_port()}"
    # Count as several processes do, which costs more.
    launch.environment["OS_METRICS__DIRECTORY"] = str(pathlib.Path(directory, "shared"))
    return launch


def _write(title, figures):
    plain, counting = (figure.workers_cpu for figure in figures)
    sys.stdout.write(
        f"{title}: {plain:.3f} ms, with metrics {counting:.3f} ms,"
        f" {100 * (counting / plain - 1):+.1f} %\n"
    )


if __name__ == "__main__":
    sys.exit(main())
