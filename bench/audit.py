"""python -m bench.audit: how long an audit takes, and how much memory, by the size of the ledger.

Fills a database of its own with hosts and consumers, runs `placement-manage audit` on it, prints
seconds and MiB of each run, and drops the database.
"""

import argparse
import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
import uuid

import sqlalchemy as sa

from bench import databases
from placement.db import engine, schema, sync, tables, triggers

HOSTS = 10_000
# Resource class, and what one consumer takes of it: VCPU, MEMORY_MB, DISK_GB.
AMOUNTS = {0: 1, 1: 2048, 2: 20}
# How many rows one statement inserts.
ROWS = 10_000


def main():
    options = _options()
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="placement-bench-"))
        url = stack.enter_context(
            databases.fresh(options.engine, options.database_server, directory)
        )
        _fill(url, options.allocations // len(AMOUNTS))
        for _ in range(options.repetitions):
            status, seconds, mib = _audit(url, directory)
            sys.stdout.write(f"{options.engine}: {seconds:.1f} s, {mib:.0f} MiB, status {status}\n")


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.audit", description=__doc__)
    parser.add_argument("--engine", choices=databases.ENGINES, default="sqlite")
    parser.add_argument("--database-server", metavar="URL", help="where databases may be created")
    parser.add_argument("--allocations", type=int, default=1_000_000, help="default: a million")
    parser.add_argument("--repetitions", type=int, default=3, help="of the audit; default: 3")
    return parser.parse_args()


def _fill(url, consumers):
    database = engine.connect(url)
    try:
        schema.upgrade(database)
        sync.synchronise(database)
        with database.writer() as conn:
            # Allocations come with sums that count them: no trigger has to.
            conn.execute(sa.select(triggers.OurStatement()))
            _insert(conn, tables.projects, [{"id": 1, "external_id": "project"}])
            _insert(conn, tables.users, [{"id": 1, "external_id": "user"}])
            _insert(conn, tables.consumer_types, [{"id": 1, "name": "INSTANCE"}])
            _insert(conn, tables.resource_providers, map(_host, range(1, HOSTS + 1)))
            _insert(conn, tables.inventories, _inventories(consumers))
            uuids = [str(uuid.UUID(int=number)) for number in range(consumers)]
            _insert(conn, tables.consumers, map(_consumer, uuids))
            _insert(conn, tables.allocations, _allocations(uuids))
        schema.settle(database)
    finally:
        database.engine.dispose()


def _insert(conn, table, rows):
    rows = iter(rows)
    while chunk := list(itertools.islice(rows, ROWS)):
        conn.execute(sa.insert(table), chunk)


def _host(number):
    return {
        "id": number,
        "uuid": str(uuid.UUID(int=number)),
        "name": f"host{number}",
        "generation": 0,
        "counted_generation": 0,
        "root_provider_id": number,
    }


def _inventories(consumers):
    for number in range(1, HOSTS + 1):
        for class_id, amount in AMOUNTS.items():
            total = amount * (consumers // HOSTS + 1) * 2
            yield {
                "resource_provider_id": number,
                "resource_class_id": class_id,
                "total": total,
                "reserved": 0,
                "min_unit": 1,
                "max_unit": total,
                "step_size": 1,
                "allocation_ratio": 1.0,
                "capacity": total,
                "used": 0,
            }


def _consumer(consumer_uuid):
    return {
        "uuid": consumer_uuid,
        "project_id": 1,
        "user_id": 1,
        "generation": 1,
        "consumer_type_id": 1,
    }


def _allocations(uuids):
    for number, consumer_uuid in enumerate(uuids):
        for class_id, amount in AMOUNTS.items():
            yield {
                "resource_provider_id": number % HOSTS + 1,
                "resource_class_id": class_id,
                "consumer_id": consumer_uuid,
                "used": amount,
            }


def _audit(url, directory):
    """Return (exit status, seconds, MiB of memory at most) of an audit by the command."""
    environment = os.environ | {"OS_PLACEMENT_DATABASE__CONNECTION": url}
    command = [sys.executable, "-m", "placement.cmd.manage", "audit", "--json"]
    began = time.monotonic()
    with open(os.path.join(directory, "audit.json"), "w") as output:
        process = subprocess.Popen(command, env=environment, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - began, usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
