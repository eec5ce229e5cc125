"""python -m bench.ordinary: compare two servers on ordinary clouds, of 20 to 1,000 hosts.

Hardly any two queries are alike, so a server gains little from remembering earlier ones.
Requests that agents repeat, and queries for devices, are in agents.py.
"""

import argparse
import contextlib
import functools
import logging
import pathlib
import sys

from bench import agents
from bench.clouds import loader, ordinary_cloud
from bench.measuring import interrupts, measure
from bench.reports import chart, machine, report
from bench.reports.report import Row, Unit
from bench.running import ending, pair
from bench.running.options import positive

LOG = logging.getLogger("bench")
QUERIES, AGENTS = "queries", "agents"
# How many hosts there are, and whether they share a disk.
CLOUDS = ((20, False), (50, False), (50, True), (200, False), (1000, False))


def main():
    return ending.run(_benchmark, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.ordinary", description=__doc__)
    add = parser.add_argument
    pair.add_options(parser)
    add("--nova", type=positive, default=300, help="queries like nova's; default: 300")
    add("--wild", type=positive, default=150, help="queries with many groups; default: 150")
    add("--claims", type=positive, default=150, help="claims of many shapes; default: 150")
    add("--repetitions", type=positive, default=20,
        help="how often to send each request of an agent; default: 20")
    add("--only", choices=(QUERIES, AGENTS), help="measure only varied queries, or only agents")
    add("--json", metavar="FILE", help="write all figures to this file")
    add("--svg", metavar="FILE", help="draw a chart in this file")
    parser.set_defaults(workers=1)
    options = parser.parse_args()
    if min(options.nova, options.wild) < measure.LEAST_QUERIES:
        parser.error(f"at least {measure.LEAST_QUERIES} queries of each kind are needed")
    return options


def _benchmark(options):
    """Measure each cloud, and write the results. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    rows = []
    with ending.cleanup() as stack:
        for rows_of_cloud in _clouds(options.only):
            started = stack.enter_context(contextlib.ExitStack())
            measured = pair.start(options, started)
            rows += rows_of_cloud(options, measured)
            conditions = machine.conditions(measured[0].database_url, options.web_server)
            names = [server.name for server in measured]
            with interrupts.delayed():
                started.close()
    conditions["measured"] = ", ".join(parts(options))
    sys.stdout.write(f"{report.listed(conditions)}\n{report.table(names, rows)}")
    if options.json:
        pathlib.Path(options.json).write_text(report.as_json(conditions, names, rows))
    if options.svg:
        pathlib.Path(options.svg).write_text(chart.draw(names, rows))


def parts(options):
    """Yield phrases that say what was measured, and how often."""
    if options.only != AGENTS:
        yield (
            f"{options.nova} queries like nova's, {options.wild} wild ones, {options.claims} claims"
        )
    if options.only != QUERIES:
        yield f"{options.repetitions} repetitions of what agents do"


def _clouds(only):
    """Yield a function for each cloud to measure; it returns the rows of that cloud."""
    if only != AGENTS:
        for hosts, shares_disk in CLOUDS:
            yield functools.partial(_rows, hosts=hosts, shares_disk=shares_disk)
    if only != QUERIES:
        for kind in agents.CLOUDS:
            yield functools.partial(agents.rows, **kind)


def _rows(options, measured, hosts, shares_disk):
    title = f"{hosts} hosts" + (", one disk" if shares_disk else "")
    traits = pair.compute_traits(measured, ordinary_cloud.TRAITS)
    plan = ordinary_cloud.OrdinaryCloud(hosts, traits, shares_disk)
    for server in measured:
        loader.load(server.database_url, plan, [])
    for kind, paths in (
        ("nova", plan.nova_queries(options.nova)),
        ("wild", plan.wild_queries(options.wild)),
    ):
        LOG.info("Measuring %s, %s: %d queries ...", title, kind, len(paths))
        figures = measure.query_figures(measured, paths)
        yield Row(f"{title}, {kind}", Unit.MILLISECONDS, figures)
        slow = [measure.Figure(figure.slow) for figure in figures]
        yield Row(f"{title}, {kind}: slowest of 100", Unit.MILLISECONDS, slow)
    LOG.info("Measuring %s: %d claims ...", title, options.claims)
    yield Row(f"{title}, claims", Unit.MILLISECONDS, _claim_figures(measured, plan, options.claims))
    memory = measure.memory_figures(measured)
    yield Row(f"{title}: memory of the worker", Unit.MEBIBYTES, memory)


def _claim_figures(measured, plan, count):
    claims = plan.claims(measure.WARM_UP + count)
    turn = measure.task(lambda _insist, number: [("POST", "/allocations", claims[number])])
    return measure.alternating_figures(measured, [turn], count)[0]


if __name__ == "__main__":
    sys.exit(main())
