"""python -m bench.switched: how much an optional part of the service adds to the cost of a request.

Starts this server twice, with and without that part, each with its own database, and sends both
the same requests in turn. Prints the CPU time that a request takes in the workers and in the
database.
"""

import argparse
import functools
import pathlib
import sys

from bench.clouds import cloud, loader, reads
from bench.measuring import measure
from bench.running import databases, ending, servers
from bench.running.options import positive

READS = ("one provider", "flat, trait and aggregate: limit=10")
CLAIMS_PER_ROUND = 100
OFF = {
    "metrics": {"OS_METRICS__ENABLED": "false"},
    "history": {"OS_OPERATOR__HISTORY_DAYS": "0"},
}


def main():
    return ending.run(_compare, _options())


def _compare(options):
    """Print what each kind of request costs. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """

    def without(port, url, _directory):
        return _launch(port, url, OFF[options.part])

    def with_part(port, url, directory):
        return _launch(port, url, _on(directory)[options.part])

    plan = cloud.Cloud(options.hosts)
    with ending.cleanup() as stack:
        measured = [
            stack.enter_context(servers.started(name, options, launch))
            for name, launch in (("without", without), ("with", with_part))
        ]
        for server in measured:
            loader.load(server.database_url, plan, plan.instances(1))
        chosen = [read for read in reads.of(plan) if read.title in READS]
        turns = [measure.read(each) for each in chosen]
        figures = measure.alternating_figures(measured, turns, options.repetitions)
        for read, of_read in zip(chosen, figures, strict=True):
            _write(options.part, read.title, of_read)
        for clients in (1, 8):
            rounds = [plan.claims(CLAIMS_PER_ROUND) for _ in range(options.repetitions + 1)]
            figures = measure.claim_figures(measured, clients, rounds)
            without, with_part = (f"{each.median:.0f}" for each in figures)
            title = f"a claim, clients: {clients} ({without} in a second, then {with_part})"
            _write(options.part, title, figures)
        held = [plan.claims(CLAIMS_PER_ROUND) for _ in range(options.repetitions + measure.WARM_UP)]
        release = measure.task(functools.partial(_releases, held))
        [of_release] = measure.alternating_figures(measured, [release], options.repetitions)
        _write(options.part, f"{CLAIMS_PER_ROUND} releases", of_release)


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.switched", description=__doc__)
    parser.add_argument("part", choices=OFF)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=1000, help="default: 1000")
    add("--repetitions", type=positive, default=100, help="how many turns; default: 100")
    return parser.parse_args()


def _releases(claims, insist, number):
    """Make the claims of a round, and return the requests that release them."""
    requests = [claim.request() for claim in claims[number]]
    for path, document in requests:
        insist("PUT", path, document)
    return [("DELETE", path, None) for path, _ in requests]


def _launch(port, url, settings):
    launch = servers.this_server(port, url, workers=1)
    launch.environment.update(settings)
    return launch


def _on(directory):
    """Return {part: the environment that switches it on}."""
    return {
        "metrics": {
            "OS_METRICS__ENABLED": "true",
            "OS_METRICS__LISTEN": f"127.0.0.1:{servers.free_port()}",
            # Count as a service with several processes does, which costs more.
            "OS_METRICS__DIRECTORY": str(pathlib.Path(directory, "shared")),
        },
        "history": {"OS_OPERATOR__HISTORY_DAYS": "30"},
    }


def _write(part, title, figures):
    without, with_part = figures
    sys.stdout.write(
        f"{title}: {_cpu(without)} ms, with {part} {_cpu(with_part)} ms,"
        f" {100 * (with_part.workers_cpu / without.workers_cpu - 1):+.1f} %\n"
    )


def _cpu(figure):
    """Return the CPU time of the workers, and that of the database if it is known."""
    known = [each for each in (figure.workers_cpu, figure.database_cpu) if each is not None]
    return " + ".join(f"{each:.3f}" for each in known)


if __name__ == "__main__":
    sys.exit(main())
