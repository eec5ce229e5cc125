"""placement-manage db online_data_migrations: the repair of rows that old releases wrote.

The service may be running. Deployment tools look at the exit status, people at the table.
Source: doc/reference/placement-manage.rst, "db online_data_migrations".
"""

import collections
import functools
import sys
import traceback

import prettytable

from placement.cmd import mistakes
from placement.conf import opts
from placement.db.schema import leftovers

# The most rows that are repaired in one pass, unless the operator says otherwise.
_BATCH = 50

# The exit statuses, as deployment tools understand them.
_NOTHING_LEFT, _CALL_AGAIN, _FAILED, _NO_COUNT = 0, 1, 2, 127


def run(configuration):
    """Repair rows of old releases, print how many, and return the exit status."""
    count = configuration.category.max_count
    if count is not None and not _is_positive(count):
        print("placement-manage: --max-count must be a positive integer", file=sys.stderr)
        return _NO_COUNT
    # Tools would take the usual status of a mistake to mean "call again".
    with mistakes.reported_by("placement-manage", _FAILED):
        migrations = _migrations(configuration, mistakes.connect_to_tables(configuration))
    if count is None:
        return _run_until_complete(migrations)
    repaired, has_failed = _run_once(migrations, int(count))
    _print_table(repaired)
    if any(repaired.values()):
        return _CALL_AGAIN
    return _FAILED if has_failed else _NOTHING_LEFT


def _is_positive(text):
    return text.isascii() and text.isdecimal() and int(text) > 0


def _migrations(configuration, database):
    """Return {name: function}; each repairs up to a number of rows and returns how many."""
    project, user = opts.incomplete_consumer_owner(configuration)
    repairs = {
        "set_root_provider_ids": leftovers.make_roots,
        "create_incomplete_consumers": functools.partial(
            leftovers.record_consumers, project=project, user=user
        ),
    }
    return {name: _continued(database, repair) for name, repair in repairs.items()}


def _continued(database, repair):
    """Return a function; each call of it repairs the rows after those of the last call."""
    position = ()

    def repair_rows(limit):
        nonlocal position
        repaired = database.in_transaction(lambda conn: repair(conn, limit, *position))
        position = repaired[-1:] or position
        return len(repaired)

    return repair_rows


def _run_until_complete(migrations):
    print(f"Running batches of {_BATCH} until complete")
    totals = collections.Counter(dict.fromkeys(migrations, 0))
    repaired = None
    while repaired is None or any(repaired.values()):
        repaired, has_failed = _run_once(migrations, _BATCH)
        totals.update(repaired)
    _print_table(totals)
    return _FAILED if has_failed else _NOTHING_LEFT


def _run_once(migrations, limit):
    """Repair up to `limit` rows in all. Return ({name: rows}, whether a migration failed).

    Migrations that were not run are missing from {name: rows}.
    """
    repaired, has_failed = {}, False
    for name, migrate in migrations.items():
        left = limit - sum(repaired.values())
        if left == 0:
            break
        try:
            repaired[name] = migrate(left)
        except Exception:
            # The next migration may still work, and is reported.
            print(f"Error attempting to run {name}")
            traceback.print_exc()
            repaired[name], has_failed = 0, True
        if repaired[name]:
            print(f"{repaired[name]} rows matched query {name}, {repaired[name]} migrated")
    return repaired, has_failed


def _print_table(repaired):
    """Print {name: rows} as a table. A row is found and repaired in one transaction."""
    table = prettytable.PrettyTable(["Migration", "Total Found", "Completed"])
    table.add_rows([[name, rows, rows] for name, rows in repaired.items()])
    print(table)
