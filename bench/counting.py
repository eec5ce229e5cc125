"""python -m bench.counting: what [metrics] enabled costs a request.

Starts this server twice, with the metrics and without, each with a database of its own, and lets
them answer the same requests in turns. Prints the CPU time that a request takes of the workers.
"""

import argparse
import pathlib
import sys
import tempfile

from bench import cloud, databases, ending, loader, measure, reads, servers
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
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="placement-bench-"))
        measured = [
            _start(options, plan, name, directory, stack) for name in ("without", "counting")
        ]
        for read in reads.of(plan):
            if read.title in READS:
                _write(read.title, measure.read_figures(measured, read, options.repetitions))
        rounds = [plan.claims(CLAIMS_PER_ROUND) for _ in range(options.repetitions + 1)]
        _write("a claim", measure.claim_figures(measured, 1, rounds))


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.counting", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=1000, help="default: 1000")
    add("--repetitions", type=positive, default=100, help="of turns; default: 100")
    return parser.parse_args()


def _start(options, plan, name, directory, stack):
    url = stack.enter_context(databases.fresh(options.engine, options.database_server, directory))
    launch = servers.this_server(servers.free_port(), url, workers=1)
    if name == "counting":
        launch.environment["OS_METRICS__ENABLED"] = "true"
        launch.environment["OS_METRICS__LISTEN"] = f"127.0.0.1:{servers.free_port()}"
        # As with several processes, which costs more.
        launch.environment["OS_METRICS__DIRECTORY"] = str(pathlib.Path(directory, "shared"))
    pid = stack.enter_context(servers.running(name, launch, directory))
    loader.load(url, plan, plan.instances(1))
    return servers.Server(name, launch.port, pid, url, None)


def _write(title, figures):
    plain, counting = (figure.workers_cpu for figure in figures)
    sys.stdout.write(
        f"{title}: {plain:.3f} ms, with metrics {counting:.3f} ms,"
        f" {100 * (counting / plain - 1):+.1f} %\n"
    )


if __name__ == "__main__":
    sys.exit(main())
