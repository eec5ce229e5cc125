"""python -m bench.placing: how many instances schedulers place per second.

Each scheduler asks for candidates as nova's does, and claims the emptiest host in the answer. If
the claim is refused, it asks again.
"""

import argparse
import collections
import contextlib
import itertools
import logging
import pathlib
import statistics
import sys
import time
import uuid

from bench.clouds import cloud, loader
from bench.measuring import interrupts, measure
from bench.measuring.client import Unexpected, side_by_side
from bench.reports import machine, report
from bench.reports.report import Row, Unit
from bench.running import ending, pair
from bench.running.options import positive

LOG = logging.getLogger("bench")
SCHEDULERS = (1, 8)
TRAITS_PER_HOST, INSTANCES_PER_HOST = 40, 20
AMOUNTS = ",".join(f"{name}:{amount}" for name, amount in cloud.RESOURCES.items())
# By default, nova asks for this many, and never for hosts whose service is disabled.
QUESTION = (
    f"/allocation_candidates?limit=1000&resources={AMOUNTS}&root_required=!COMPUTE_STATUS_DISABLED"
)
CONFLICT = 409


def main():
    return ending.run(_benchmark, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.placing", description=__doc__)
    add = parser.add_argument
    pair.add_options(parser)
    add("--workers", type=positive, default=2, help="processes of each server; default: 2")
    add("--hosts", type=positive, nargs="+", default=[10_000, 200], metavar="HOSTS",
        help="sizes of the clouds; default: 10000 200")
    add("--rounds", type=positive, default=5, help="rounds per number of schedulers; default: 5")
    add("--json", metavar="FILE", help="write all figures to this file")
    add_options(parser)
    return parser.parse_args()


def add_options(parser):
    """Add to a parser the options that `rows` needs, except --rounds."""
    parser.add_argument("--placed", type=positive, default=20, metavar="INSTANCES",
        help="how many schedulers place in each round; default: 20")


def _benchmark(options):
    """Measure each cloud, and write the results. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    measured_rows = []
    with ending.cleanup() as stack:
        for hosts in options.hosts:
            started = stack.enter_context(contextlib.ExitStack())
            measured = pair.start(options, started)
            _load(measured, hosts)
            measured_rows += [
                row._replace(title=f"{hosts} hosts: {row.title}") for row in rows(options, measured)
            ]
            conditions = machine.conditions(measured[0].database_url, options.web_server)
            names = [server.name for server in measured]
            with interrupts.delayed():
                started.close()
    conditions["measured"] = f"{options.rounds} rounds of {options.placed} instances"
    sys.stdout.write(f"{report.listed(conditions)}\n{report.table(names, measured_rows)}")
    if options.json:
        pathlib.Path(options.json).write_text(report.as_json(conditions, names, measured_rows))


def _load(measured, hosts):
    plan = cloud.Cloud(hosts, compute_traits=pair.compute_traits(measured, TRAITS_PER_HOST))
    instances = plan.instances(INSTANCES_PER_HOST)
    for server in measured:
        LOG.info("Loading %d hosts for %s ...", hosts, server.name)
        loader.load(server.database_url, plan, instances)


def rows(options, measured):
    """Yield the Rows for each number of schedulers.

    Raises: Unexpected.
    """
    for schedulers in SCHEDULERS:
        title = f"{schedulers} scheduler{'s' * (schedulers > 1)}"
        LOG.info("Measuring %s ...", title)
        rates, times = _figures(measured, schedulers, options.placed, options.rounds)
        yield Row(f"{title}: instances", Unit.PER_SECOND, rates)
        median = [_figure_of(statistics.median, each) for each in times]
        yield Row(f"{title}: question to claim", Unit.MILLISECONDS, median)
        slow = [_figure_of(_slowest_of_100, each) for each in times]
        yield Row(f"{title}: slowest of 100", Unit.MILLISECONDS, slow)


def _figures(measured, schedulers, instances, rounds):
    """Return the Figures of instances per second, and lists of milliseconds, both by server."""
    times = {server: [] for server in measured}

    def turn(server, _number):
        return measure.turn_of(server, _place_all, schedulers, instances, times[server])

    rates = measure.alternating_figures(measured, [turn], rounds, warm_up=1)[0]
    # The first round was the warm-up.
    return rates, [times[server][instances:] for server in measured]


def _figure_of(value, times):
    """Return the Figure of value(times), or of None if a server was too slow to have times."""
    return measure.Figure(value(times) if times else None)


def _slowest_of_100(times):
    # Before Python 3.13, quantiles() refuses a single value.
    if len(times) == 1:
        return times[0]
    return statistics.quantiles(times, n=100, method="inclusive")[-1]


def _place_all(server, schedulers, instances, times):
    """Place instances, and add to `times` how long each took in milliseconds.

    A scheduler continues with the next instance as soon as it has placed one.
    """
    start = time.perf_counter()
    placed = side_by_side(schedulers, _place, [server] * instances)
    elapsed = time.perf_counter() - start
    times += [milliseconds for milliseconds, _ in placed]
    refusals = collections.Counter({CONFLICT: sum(refused for _, refused in placed)})
    return [instances / elapsed], instances, +refusals


def _place(server):
    """Place an instance. Return how long it took in milliseconds, and how many claims were refused.

    Raises: Unexpected if no host has room, or if a claim is refused for any reason but a conflict.
    """
    start = time.perf_counter()
    with contextlib.closing(server.client()) as client:
        for refused in itertools.count():
            answer = client.insist("GET", QUESTION)
            if not answer["allocation_requests"]:
                raise Unexpected(f"{server.name}: {QUESTION}: no host has room")
            claimed = client.ask("PUT", f"/allocations/{uuid.uuid4()}", claim(emptiest(answer)))
            if claimed.is_success:
                return 1000 * (time.perf_counter() - start), refused
            if claimed.status != CONFLICT:
                raise Unexpected(f"{server.name}: {claimed.status} {claimed.body.decode()}")


def emptiest(answer):
    """Return the candidate with the smallest share of memory in use."""
    summaries = answer["provider_summaries"]

    def share_in_use(candidate):
        memory = next(
            summaries[provider_uuid]["resources"]["MEMORY_MB"]
            for provider_uuid, taken in candidate["allocations"].items()
            if "MEMORY_MB" in taken["resources"]
        )
        return memory["used"] / memory["capacity"]

    return min(answer["allocation_requests"], key=share_in_use)


def claim(candidate):
    """Return the document that claims a candidate for a new consumer."""
    return candidate | {
        "project_id": cloud.PROJECTS[0],
        "user_id": cloud.USERS[0],
        "consumer_generation": None,
        "consumer_type": cloud.CONSUMER_TYPE,
    }


if __name__ == "__main__":
    sys.exit(main())
