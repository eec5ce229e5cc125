"""python -m bench: load two servers with the same data, measure them in turn, print a table."""

import argparse
import logging
import math
import pathlib
import re
import sys

from bench import placing
from bench.clouds import cloud, loader, reads
from bench.measuring import measure
from bench.reports import chart, machine, report
from bench.reports.report import Row, Unit
from bench.running import ending, pair
from bench.running.options import positive

LOG = logging.getLogger("bench")
CLIENTS = (1, 8)
CLIENTS_OF_ONE_HOST = (1, 8, 32)


def main():
    return ending.run(_benchmark, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    add = parser.add_argument
    pair.add_options(parser)
    add("--workers", type=positive, default=2, help="processes of each server; default: 2")
    add("--hosts", type=positive, default=10_000, help="hosts without children; default: 10000")
    add("--trees", type=positive,
        help="trees of seven providers; default: a tenth of the hosts, at most 1000")
    add("--wide-hosts", type=positive, default=16, help="hosts with eight GPUs each; default: 16")
    add("--traits-per-host", type=int, default=40, help="standard traits; default: 40")
    add("--instances-per-host", type=positive, default=20,
        help="loaded on each host without children; default: 20")
    add("--repetitions", type=positive, default=20, help="how often to send each GET; default: 20")
    add("--longest-answer", type=positive, metavar="N",
        help="leave out GETs whose answers have more candidates or providers than this")
    add("--reads", metavar="REGEX", default="", help="measure only the GETs whose titles match")
    add("--rounds", type=positive, default=5, help="rounds of claims; default: 5")
    add("--claims", type=positive, default=200, help="claims in each round; default: 200")
    placing.add_options(parser)
    add("--json", metavar="FILE", help="write all figures to this file")
    add("--svg", metavar="FILE", help="draw a chart in this file")
    options = parser.parse_args()
    if options.trees is None:
        options.trees = max(1, min(1000, options.hosts // 10))
    if options.hosts < len(CLIENTS_OF_ONE_HOST):
        parser.error(f"at least {len(CLIENTS_OF_ONE_HOST)} hosts are needed")
    claims = (options.rounds + 1) * options.claims
    # Hosts are chosen at random, so some fill up before others.
    elsewhere = 2 * len(CLIENTS) * claims / options.hosts
    if options.instances_per_host + claims + elsewhere > cloud.CLAIMS_PER_HOST:
        parser.error("the hosts would be full: use more hosts, or fewer claims or instances")
    return options


def _benchmark(options):
    """Measure, and write the results. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    with ending.cleanup() as stack:
        measured = pair.start(options, stack)
        traits = pair.compute_traits(measured, options.traits_per_host)
        plan = cloud.Cloud(options.hosts, options.trees, options.wide_hosts, traits)
        _load(options, measured, plan)
        rows = [
            *_read_rows(options, measured, plan),
            *_claim_rows(options, measured, plan),
            *placing.rows(options, measured),
        ]
        conditions = machine.conditions(measured[0].database_url, options.web_server)
        conditions |= _loaded(options, plan)
    names = [server.name for server in measured]
    sys.stdout.write(f"{report.listed(conditions)}\n{report.table(names, rows)}")
    if options.json:
        pathlib.Path(options.json).write_text(report.as_json(conditions, names, rows))
    if options.svg:
        pathlib.Path(options.svg).write_text(chart.draw(names, rows))


def _loaded(options, plan):
    return {
        "workers": f"{options.workers} of each server",
        "cloud": f"{len(plan.flat_hosts)} hosts, {plan.trees} trees of {cloud.TREE_SIZE},"
        f" {plan.wide} hosts with {cloud.GPUS} GPUs, {options.traits_per_host} traits each,"
        f" {options.hosts * options.instances_per_host} instances",
        "measured": f"{options.repetitions} repetitions, {options.rounds} rounds of"
        f" {options.claims} claims and of {options.placed} instances placed",
    }


def _load(options, measured, plan):
    instances = plan.instances(options.instances_per_host)
    for server in measured:
        LOG.info(
            "Loading %d providers and %d instances for %s ...",
            *(len(plan.providers), len(instances), server.name),
        )
        loader.load(server.database_url, plan, instances)


def _read_rows(options, measured, plan):
    most = options.longest_answer or math.inf
    wanted = [
        each
        for each in reads.of(plan)
        if each.expected <= most and re.search(options.reads, each.title)
    ]
    LOG.info("Measuring %d reads, %d times each ...", len(wanted), options.repetitions)
    turns = [measure.read(each) for each in wanted]
    figures = measure.alternating_figures(measured, turns, options.repetitions)
    for read, of_read in zip(wanted, figures, strict=True):
        yield Row(read.title, Unit.MILLISECONDS, of_read)
    yield Row("memory of a worker", Unit.MEBIBYTES, measure.memory_figures(measured))


def _claim_rows(options, measured, plan):
    for clients in CLIENTS:
        rounds = [plan.claims(options.claims) for _ in range(options.rounds + 1)]
        yield _claim_row(f"claims, {_counted(clients)}", measured, clients, rounds)
    for host, clients in zip(plan.flat_hosts, CLIENTS_OF_ONE_HOST, strict=False):
        rounds = [plan.claims_on(host, options.claims) for _ in range(options.rounds + 1)]
        yield _claim_row(f"claims on one host, {_counted(clients)}", measured, clients, rounds)


def _claim_row(title, measured, clients, rounds):
    LOG.info("Measuring %s ...", title)
    return Row(title, Unit.PER_SECOND, measure.claim_figures(measured, clients, rounds))


def _counted(clients):
    return f"{clients} client{'s' * (clients > 1)}"


if __name__ == "__main__":
    sys.exit(main())
