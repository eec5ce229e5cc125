"""python -m bench: load two servers alike, measure them in turns, print a table."""

import argparse
import concurrent.futures
import contextlib
import logging
import os
import platform
import signal
import sys
import tempfile

import sqlalchemy as sa

from bench import cloud, databases, measure, report, servers
from bench.client import Client, Unexpected
from bench.measure import Read

LOG = logging.getLogger("bench")
CLIENTS = (1, 8)


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    options = _options()
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, _interrupt)
    try:
        sys.stdout.write(_benchmark(options))
    except (Unexpected, sa.exc.SQLAlchemyError) as error:
        LOG.error("%s", error)
        return 1
    except KeyboardInterrupt:
        LOG.error("Interrupted; everything is cleaned up.")
        return 130
    return 0


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    add = parser.add_argument
    add("--peer-command", default=os.environ.get("PEER"), metavar="'SCRIPT PORT URL WORKERS'",
        help="how to serve the peer: the words PORT, URL and WORKERS are replaced, and the"
             " command stays in the foreground; default: $PEER, or else there is no peer")
    add("--engine", choices=databases.ENGINES, default="sqlite", help="default: sqlite")
    add("--database-server", metavar="URL",
        help=f"where databases may be created; default: {' or '.join(databases.SERVERS.values())}")
    add("--workers", type=_positive, default=2, help="processes of each server; default: 2")
    add("--hosts", type=_positive, default=1000, help="default: 1000")
    add("--traits-per-host", type=int, default=40, help="standard traits; default: 40")
    add("--instances-per-host", type=int, default=5,
        help="claims on each host before anything is measured; default: 5")
    add("--repetitions", type=_positive, default=20, help="of each GET; default: 20")
    add("--rounds", type=_positive, default=5, help="of claims; default: 5")
    add("--claims", type=_positive, default=200, help="in each round; default: 200")
    options = parser.parse_args()
    # At random, some hosts are filled before others.
    planned = len(CLIENTS) * (options.rounds + 1) * options.claims
    if planned / options.hosts + options.instances_per_host > cloud.CLAIMS_PER_HOST / 2:
        parser.error("the hosts would be filled: more hosts, or less claims")
    return options


def _positive(text):
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _interrupt(signum, frame):
    _ignore_interrupts()
    raise KeyboardInterrupt


def _ignore_interrupts():
    """Let nothing interrupt the cleanup."""
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, signal.SIG_IGN)


def _benchmark(options):
    """Return what is to be printed. Afterwards no server, database or file is left.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    with contextlib.ExitStack() as stack:
        measured = _start(options, stack)
        stack.callback(_ignore_interrupts)
        plan = cloud.Cloud(options.hosts)
        _load(options, measured, plan)
        rows = [*_read_rows(options, measured, plan), *_claim_rows(options, measured, plan)]
    header = ["Median", *(server.name for server in measured)]
    header += ["ratio"] * (len(measured) == 2)
    return f"{_conditions(options)}\n\n{report.table(header, rows)}"


def _conditions(options):
    return (
        f"{options.engine}, {options.workers} workers, {options.hosts} hosts with"
        f" {options.traits_per_host} traits and {options.instances_per_host} instances each;"
        f" {options.repetitions} repetitions, {options.rounds} rounds of {options.claims} claims;"
        f" Python {platform.python_version()}, {os.cpu_count()} processors"
    )


def _start(options, stack):
    """Start the servers, each on a database of its own. Return them, this server first."""
    directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="placement-bench-"))
    measured = []
    for name in ("this server", "peer")[: 2 if options.peer_command else 1]:
        LOG.info("Starting %s on %s ...", name, options.engine)
        url = stack.enter_context(
            databases.fresh(options.engine, options.database_server, directory)
        )
        server = servers.Server(name, servers.free_port())
        if measured:
            launch = servers.peer(
                options.peer_command, server.port, url, options.workers, directory
            )
        else:
            launch = servers.this_server(server.port, url, options.workers)
        stack.enter_context(servers.running(server, launch, directory))
        measured.append(server)
    return measured


def _load(options, measured, plan):
    """Fill all servers at the same time."""
    LOG.info("Loading %d hosts ...", options.hosts)
    instances = plan.claims_on_each_host(options.instances_per_host)

    def load(server):
        with contextlib.closing(Client(server.port)) as client:
            cloud.load(client, plan.hosts, instances, options.traits_per_host)

    executor = concurrent.futures.ThreadPoolExecutor(len(measured))
    try:
        for future in [executor.submit(load, server) for server in measured]:
            future.result()
    finally:
        # After an interrupt do not wait here: the threads end when the servers are gone.
        executor.shutdown(wait=False)


def _read_rows(options, measured, plan):
    found, hosts = plan.candidates, options.hosts
    reads = [
        Read("candidates, all", cloud.CANDIDATES, "allocation_requests", found),
        Read("candidates, limit=10", f"{cloud.CANDIDATES}&limit=10", "allocation_requests",
             min(found, 10)),
        Read("providers, all", cloud.PROVIDERS, "resource_providers", hosts),
        Read("providers, filtered", cloud.PROVIDERS_FILTERED, "resource_providers", found),
    ]
    for read in reads:
        LOG.info("Measuring %s: %d expected ...", read.title, read.expected)
        times = measure.read_milliseconds(measured, read, options.repetitions)
        yield report.time_row(read.title, [times[server] for server in measured])


def _claim_rows(options, measured, plan):
    for clients in CLIENTS:
        title = f"claims, {clients} client{'s' * (clients > 1)}"
        LOG.info("Measuring %s ...", title)
        rounds = [plan.claims(options.claims) for _ in range(options.rounds + 1)]
        rates = measure.claim_rates(measured, clients, rounds)
        yield from report.rate_rows(title, [rates[server] for server in measured])


if __name__ == "__main__":
    sys.exit(main())
