"""placement-manage db online_data_migrations: the repair of rows that old releases wrote.

The service may be running. Deployment tools read the exit status, and people read the table.
Source: doc/reference/placement-manage.rst, "db online_data_migrations".
"""

import collections
import functools
import sys
import traceback

import prettytable

from placement.cmd import listing, mistakes
from placement.conf import opts
from placement.db.schema import data_migrations

COLUMNS = ("Migration", "Total Found", "Completed")

# The most rows to repair in one pass, unless the operator gives a number.
_BATCH = 50

# The exit statuses, as deployment tools understand them.
_NOTHING_LEFT, _CALL_AGAIN, _FAILED, _NO_COUNT = 0, 1, 2, 127


def run(configuration):
    """Repair rows that old releases wrote, print how many, and return the exit status."""
    count = configuration.category.max_count
    if count is not None and not _is_positive(count):
        print("placement-manage: --max-count must be a positive integer", file=sys.stderr)
        return _NO_COUNT
    # To tools, the usual exit status for a mistake means "call again".
    with mistakes.reported_by("placement-manage", _FAILED):
        migrations = _migrations(configuration, mistakes.connect_to_tables(configuration))
    options = configuration.category
    if count is None:
        return _run_until_complete(migrations, options)
    repaired, has_failed = _run_once(migrations, int(count), options)
    _print_table(repaired, options)
    if any(repaired.values()):
        return _CALL_AGAIN
    return _FAILED if has_failed else _NOTHING_LEFT


def _is_positive(text):
    return text.isascii() and text.isdecimal() and int(text) > 0


def _migrations(configuration, database):
    """Return {name: function}; function(limit) repairs up to `limit` rows, and returns how many."""
    project, user = opts.incomplete_consumer_owner(configuration)
    repairs = {
        "set_root_provider_ids": data_migrations.set_root_provider_ids,
        "create_incomplete_consumers": functools.partial(
            data_migrations.create_incomplete_consumers, project=project, user=user
        ),
    }
    return {name: _continued(database, repair) for name, repair in repairs.items()}


def _continued(database, repair):
    """Return a function that repairs the next rows each time it is called.

    `repair` returns the keys of the rows it repaired, and takes the key of the row to begin after.
    """
    # What `repair` gets after `limit`: nothing in the first call, then the last key it returned.
    position = ()

    def repair_rows(limit):
        """Repair up to `limit` rows after the last one that was repaired; return how many."""
        nonlocal position
        keys = database.in_transaction(lambda conn: repair(conn, limit, *position))
        position = keys[-1:] or position
        return len(keys)

    return repair_rows


def _run_until_complete(migrations, options):
    """Repair all rows in batches, print how many, and return the exit status."""
    _say(f"Running batches of {_BATCH} until complete", options)
    totals = collections.Counter(dict.fromkeys(migrations, 0))
    repaired = None
    while repaired is None or any(repaired.values()):
        repaired, has_failed = _run_once(migrations, _BATCH, options)
        totals.update(repaired)
    _print_table(totals, options)
    return _FAILED if has_failed else _NOTHING_LEFT


def _run_once(migrations, limit, options):
    """Repair up to `limit` rows in all. Return ({name: number}, whether a migration failed).

    Migrations that were not run are missing from {name: number}.
    """
    repaired, has_failed = {}, False
    for name, migrate in migrations.items():
        left = limit - sum(repaired.values())
        if left == 0:
            break
        try:
            repaired[name] = migrate(left)
        except Exception:
            # The next migration may still work.
            _say(f"Error attempting to run {name}", options)
            traceback.print_exc()
            repaired[name], has_failed = 0, True
        if repaired[name]:
            _say(
                f"{repaired[name]} rows matched query {name}, {repaired[name]} migrated", options
            )
    return repaired, has_failed


def _say(line, options):
    """Print a line of progress, on standard error if the caller asked for rows."""
    print(line, file=sys.stderr if listing.is_wanted(options) else sys.stdout)


def _print_table(repaired, options):
    """Print {name: number} as a table; its two counts are equal: all found rows are repaired."""
    rows = [[name, number, number] for name, number in repaired.items()]
    if listing.is_wanted(options):
        listing.write(options, COLUMNS, rows)
        return
    table = prettytable.PrettyTable(COLUMNS)
    table.add_rows(rows)
    print(table)
