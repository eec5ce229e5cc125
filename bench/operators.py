"""python -m bench.operators: what the requests of operators cost in a cloud of a given size.

Starts this server with one worker and a cloud, sends each request a few times, and prints how long
the answers took, their size, the CPU time of the worker and of the database, and the memory of the
worker afterwards.
"""

import argparse
import contextlib
import statistics
import sys
import time

from bench.clouds import cloud, loader
from bench.measuring import measure, processes
from bench.running import databases, ending, pair, servers
from bench.running.options import positive

PATIENCE_SECONDS = 600
_AMOUNTS = ",".join(f"{name}:{amount}" for name, amount in cloud.RESOURCES.items())
_CHOSEN = f"resources={_AMOUNTS}&required={cloud.TRAIT}&member_of={cloud.AGGREGATE}"
# Each host has some of its disk in use.
_TOO_MUCH = f"resources=VCPU:1,MEMORY_MB:1024,DISK_GB:{cloud.DISK_GB_OF_HOST}"
QUESTIONS = (
    f"/operator/explanation?{_TOO_MUCH}",
    f"/operator/explanation?{_CHOSEN}",
    f"/operator/fit?{_CHOSEN}&bound=1000",
    f"/operator/fit?{_CHOSEN}",
    f"/operator/fit?resources={_AMOUNTS}&bound=1000",
    "/operator/capacity",
    "/operator/capacity?by=project",
    "/operator/audit",
)


def main():
    return ending.run(_measure, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.operators", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--hosts", type=positive, default=10_000, help="hosts in the cloud; default: 10000")
    add("--instances-per-host", type=positive, default=1, help="default: 1")
    add("--traits-per-host", type=int, default=0, help="standard traits; default: 0")
    add("--repetitions", type=positive, default=3,
        help="how often to send each request; default: 3")
    return parser.parse_args()


def _measure(options):
    """Print a line for each request. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """

    def launch(port, url, _directory):
        return servers.this_server(port, url, workers=1)

    with ending.cleanup() as stack:
        server = stack.enter_context(servers.started("this server", options, launch))
        server = server._replace(patience=PATIENCE_SECONDS)
        traits = pair.compute_traits([server], options.traits_per_host)
        plan = cloud.Cloud(options.hosts, compute_traits=traits)
        loader.load(server.database_url, plan, plan.instances(options.instances_per_host))
        client = stack.enter_context(contextlib.closing(server.client()))
        for path in ("/allocation_candidates?resources=VCPU:1&limit=10", *QUESTIONS):
            sys.stdout.write(f"{_line(server, client, path, options.repetitions)}\n")
            sys.stdout.flush()


def _line(server, client, path, repetitions):
    """Send a request several times. Return a line about its time, size and memory."""
    turns = [measure.turn_of(server, _ask, client, path) for _ in range(repetitions)]
    seconds = statistics.median(turn.values[0] for turn in turns)
    cpu = [statistics.mean(turn.workers_cpu for turn in turns)]
    if server.database_pid is not None:
        cpu.append(statistics.mean(turn.database_cpu for turn in turns))
    answer = client.ask("GET", path)
    return (
        f"{path}: {answer.status}, {seconds:.2f} s, CPU {' + '.join(f'{each:.2f}' for each in cpu)}"
        f" s, {len(answer.body) / 1e6:.1f} MB, worker {processes.memory_mebibytes(server.pid):.0f}"
        " MiB"
    )


def _ask(_server, client, path):
    began = time.perf_counter()
    client.ask("GET", path)
    return [time.perf_counter() - began], 1, {}


if __name__ == "__main__":
    sys.exit(main())
