"""python -m bench.audit: how much time and memory an audit of a ledger of a given size takes.

Creates a database with hosts and consumers, runs `placement-manage audit` on it several times,
prints the seconds and MiB of each run, and drops the database.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

from bench.clouds import cloud, loader
from bench.running import databases, ending
from bench.running.options import positive
from placement.db import engine
from placement.db.schema import migrate, standard_names


def main():
    return ending.run(_measure, _options())


def _measure(options):
    """Print how much time and memory each audit took. No database is left behind.

    Raises: sqlalchemy.exc.SQLAlchemyError.
    """
    with ending.cleanup() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="placement-bench-"))
        url = stack.enter_context(
            databases.fresh(options.engine, options.database_server, directory)
        )
        _fill(url, options.hosts, options.allocations // len(cloud.RESOURCES))
        for _ in range(options.repetitions):
            status, seconds, mib = _audit(url, directory)
            sys.stdout.write(f"{options.engine}: {seconds:.1f} s, {mib:.0f} MiB, status {status}\n")


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.audit", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--allocations", type=positive, default=1_000_000, help="default: a million")
    add("--hosts", type=positive, default=10_000, help="default: 10000")
    add("--repetitions", type=positive, default=3, help="how often to run the audit; default: 3")
    return parser.parse_args()


def _fill(url, hosts, instances):
    database = engine.connect(url)
    try:
        migrate.upgrade(database)
        standard_names.synchronise(database)
    finally:
        database.engine.dispose()
    plan = cloud.Cloud(hosts)
    loader.load(url, plan, plan.instances(instances // hosts))


def _audit(url, directory):
    """Run the audit command. Return (exit status, seconds, MiB of memory at the peak)."""
    environment = os.environ | {"OS_PLACEMENT_DATABASE__CONNECTION": url}
    command = [sys.executable, "-m", "placement.cmd.manage", "audit", "--json"]
    began = time.monotonic()
    with open(os.path.join(directory, "audit.json"), "w") as output:
        process = subprocess.Popen(command, env=environment, stdout=output)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - began, usage.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
