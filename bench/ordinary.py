"""python -m bench.ordinary: ask two servers about ordinary clouds, each query once.

In a small cloud hardly two queries look alike: what a server keeps of the last one helps it little.
"""

import argparse
import contextlib
import logging
import pathlib
import sys

from bench import chart, ending, loader, machine, measure, ordinary_cloud, pair, report
from bench.options import positive
from bench.report import Row, Unit

LOG = logging.getLogger("bench")
# How many hosts there are, and whether they share a disk.
CLOUDS = ((20, False), (50, False), (50, True), (200, False), (1000, False))


def main():
    return ending.run(_benchmark, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.ordinary", description=__doc__)
    add = parser.add_argument
    pair.add_options(parser)
    add("--nova", type=positive, default=300, help="queries like nova's; default: 300")
    add("--wild", type=positive, default=150, help="queries of many groups; default: 150")
    add("--json", metavar="FILE", help="where to write all figures")
    add("--svg", metavar="FILE", help="where to draw a chart")
    parser.set_defaults(workers=1)
    options = parser.parse_args()
    if min(options.nova, options.wild) <= measure.QUERIES_OF_A_TURN:
        parser.error(f"more than {measure.QUERIES_OF_A_TURN} queries are needed")
    return options


def _benchmark(options):
    """Measure each cloud, and write what came of it. Afterwards no server or database is left.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    rows = []
    with ending.cleanup() as stack:
        for hosts, shares_disk in CLOUDS:
            started = stack.enter_context(contextlib.ExitStack())
            measured = pair.start(options, started)
            rows += _rows(options, measured, hosts, shares_disk)
            conditions = machine.conditions(measured[0].database_url)
            names = [server.name for server in measured]
            with ending.interrupts_delayed():
                started.close()
    conditions["measured"] = f"{options.nova} queries like nova's, {options.wild} wild ones"
    sys.stdout.write(f"{report.listed(conditions)}\n{report.table(names, rows)}")
    if options.json:
        pathlib.Path(options.json).write_text(report.as_json(conditions, names, rows))
    if options.svg:
        pathlib.Path(options.svg).write_text(chart.draw(names, rows))


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
    memory = measure.memory_figures(measured)
    yield Row(f"{title}: memory of the worker", Unit.MEBIBYTES, memory)


if __name__ == "__main__":
    sys.exit(main())
