"""Triggers that keep the derived sums right when others write, even by hand in SQL.

The triggers on allocations adjust inventories.used, those on inventories derive the capacity, and
those on resource_providers mark the new generation as counted.

Our own statements do all this themselves, whether there are triggers or not: they adjust the sums
(taking_capacity.py), write a capacity with each inventory, and advance both generations together.
`OurStatement` makes the triggers skip what we write. Only the usage of a new inventory is left to a
trigger, because allocations may be older than their inventory.
"""

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import functions

from placement.db.derived_sums import recount
from placement.db.faults import outages
from placement.db.sql import trigger_sets
from placement.db.sql.trigger_sets import IS_FOREIGN_ON_MYSQL, OURS_ON_MYSQL, Trigger


class OurStatement(functions.FunctionElement):
    """A condition that turns off the triggers on allocations, or that is true only if they are off.

    It is part of the statement that adjusts the sum. A setting at the start of a connection or
    transaction would cost another statement, or fail behind a pooler that gives each transaction
    another session or resets the session.

    PostgreSQL: the condition is always true, and turns off the triggers for the transaction.
    MySQL: it is true only in a session that is still as engine/connecting.py set it up, with the
        triggers turned off; see check_session().
    SQLite: it does nothing. The triggers compute the whole sum, and may repeat our work, because
        there is only one writer at a time.

    This is a SQLAlchemy function because a statement with any other custom element would be
    compiled each time it is executed.
    """

    type = sa.Boolean()
    inherit_cache = True


@compiles(OurStatement)
def _always_true(element, compiler, **_options):
    # SQLAlchemy adds `= 1` to it if the database has no booleans.
    return "1"


@compiles(OurStatement, "mysql")
@compiles(OurStatement, "mariadb")
def _is_set_up(element, compiler, **_options):
    isolation = "tx_isolation" if compiler.dialect.is_mariadb else "transaction_isolation"
    return f"({OURS_ON_MYSQL} = 1 AND @@{isolation} = 'READ-COMMITTED')"


@compiles(OurStatement, "postgresql")
def _set_configuration(element, compiler, **_options):
    return "set_config('placement.native', 'on', true) = 'on'"


def check_session(conn):
    """Check that the triggers are off, after a statement with OurStatement matched too few rows.

    A proxy may have changed the session that we set up, and then the statement matches no rows.
    Cost: a query on MySQL.
    Raises: SessionChanged.
    """
    if conn.dialect.name == "mysql" and not conn.scalar(sa.select(OurStatement())):
        raise outages.SessionChanged


_SUM = (
    "(SELECT COALESCE(SUM(allocations.used), 0) FROM allocations"
    " WHERE allocations.resource_provider_id = {row}.resource_provider_id"
    " AND allocations.resource_class_id = {row}.resource_class_id)"
)
_OF_ROW = (
    "WHERE resource_provider_id = {row}.resource_provider_id"
    " AND resource_class_id = {row}.resource_class_id"
)
# Our writers lock the provider before the inventory. Without this lock, other programs would lock
# the inventory first, by the trigger, and then the provider, to advance its generation: these two
# orders could lead to a deadlock.
_LOCK = {
    "mysql": "SET @placement_locked ="
    " (SELECT id FROM resource_providers WHERE id = {row}.resource_provider_id FOR UPDATE);",
    "postgresql": "PERFORM 1 FROM resource_providers WHERE id = {row}.resource_provider_id"
    " FOR NO KEY UPDATE;",
}
_ADD = f"UPDATE inventories SET used = used + NEW.used {_OF_ROW.format(row='NEW')};"  # noqa: S608
_SUBTRACT = f"UPDATE inventories SET used = used - OLD.used {_OF_ROW.format(row='OLD')};"  # noqa: S608
_SOURCES = "total, reserved, allocation_ratio, resource_provider_id, resource_class_id"


def _mysql():
    """Return the Triggers for MySQL and MariaDB: a separate one for each table and event."""

    def for_others(statements):
        return f"IF {IS_FOREIGN_ON_MYSQL} THEN {statements} END IF"

    def counting(event, statements):
        return Trigger(
            f"placement_allocations_{event.lower()}",
            f"AFTER {event}",
            "allocations",
            for_others(" ".join(statements)),
        )

    def deriving(table, event, assignments):
        # Only the UPDATE trigger skips our statements, to make claims cheaper. The INSERT trigger
        # counts the usage of our own new inventories, too: their allocations may be older.
        body = f"SET {assignments}"
        return Trigger(
            f"placement_{table}_{event.lower()}",
            f"BEFORE {event}",
            table,
            for_others(f"{body};") if event == "UPDATE" else body,
        )

    add = [_LOCK["mysql"].format(row="NEW"), _ADD]
    subtract = [_LOCK["mysql"].format(row="OLD"), _SUBTRACT]
    capacity = f"NEW.capacity = {recount.capacity_sql('mysql', 'NEW')}"
    total = _SUM.format(row="NEW")
    same_inventory = (
        "NEW.resource_provider_id = OLD.resource_provider_id"
        " AND NEW.resource_class_id = OLD.resource_class_id"
    )
    counted = "NEW.counted_generation = "
    return [
        counting("INSERT", add),
        counting("UPDATE", subtract + add),
        counting("DELETE", subtract),
        deriving("inventories", "INSERT", f"{capacity}, NEW.used = {total}"),
        deriving(
            "inventories",
            "UPDATE",
            f"{capacity}, NEW.used = IF({same_inventory}, NEW.used, {total})",
        ),
        deriving("resource_providers", "INSERT", f"{counted} NEW.generation"),
        deriving(
            "resource_providers",
            "UPDATE",
            f"{counted} IF(NEW.generation <=> OLD.generation, NEW.counted_generation,"
            " NEW.generation)",
        ),
    ]


def _postgresql():
    """Return the Triggers for PostgreSQL, where one may serve several events of a table."""
    capacity = recount.capacity_sql("postgresql", "NEW")
    add = f"{_LOCK['postgresql'].format(row='NEW')} {_ADD}"
    subtract = f"{_LOCK['postgresql'].format(row='OLD')} {_SUBTRACT}"
    return [
        Trigger(
            "placement_count_allocations",
            "AFTER INSERT OR UPDATE OR DELETE ON allocations FOR EACH ROW"
            " WHEN (current_setting('placement.native', true) IS DISTINCT FROM 'on')",
            "allocations",
            f"BEGIN IF TG_OP <> 'INSERT' THEN {subtract} END IF;"
            f" IF TG_OP <> 'DELETE' THEN {add} END IF; RETURN NULL; END",
        ),
        Trigger(
            "placement_derive_inventories",
            f"BEFORE INSERT OR UPDATE OF {_SOURCES} ON inventories FOR EACH ROW",
            "inventories",
            f"BEGIN NEW.capacity := {capacity};"
            " IF TG_OP = 'INSERT' OR (NEW.resource_provider_id, NEW.resource_class_id)"
            " <> (OLD.resource_provider_id, OLD.resource_class_id)"
            f" THEN NEW.used := {_SUM.format(row='NEW')}; END IF; RETURN NEW; END",
        ),
        Trigger(
            "placement_count_generation",
            "BEFORE INSERT OR UPDATE OF generation ON resource_providers FOR EACH ROW"
            " WHEN (NEW.counted_generation IS DISTINCT FROM NEW.generation)",
            "resource_providers",
            "BEGIN NEW.counted_generation := NEW.generation; RETURN NEW; END",
        ),
    ]


def _sqlite():
    """Return the Triggers for SQLite, which compute whole sums; see OurStatement."""

    def update(assignments, where):
        return f"UPDATE inventories SET {assignments} {where};"  # noqa: S608

    def summing(row):
        return update(f"used = {_SUM.format(row=row)}", _OF_ROW.format(row=row))

    capacity = recount.capacity_sql("sqlite", "NEW")
    derive = update(f"capacity = {capacity}, used = {_SUM.format(row='NEW')}", "WHERE id = NEW.id")
    count = (
        "UPDATE resource_providers SET counted_generation = generation WHERE id = NEW.id"
        " AND counted_generation IS NOT generation;"
    )
    return [
        Trigger(f"placement_{table}_{event.split()[0].lower()}", f"AFTER {event}", table, body)
        for table, event, body in (
            ("allocations", "INSERT", summing("NEW")),
            ("allocations", "UPDATE", f"{summing('OLD')} {summing('NEW')}"),
            ("allocations", "DELETE", summing("OLD")),
            ("inventories", "INSERT", derive),
            ("inventories", f"UPDATE OF {_SOURCES}", derive),
            ("resource_providers", "INSERT", count),
            ("resource_providers", "UPDATE OF generation", count),
        )
    ]


_SET = trigger_sets.TriggerSet(
    {"mysql": _mysql(), "postgresql": _postgresql(), "sqlite": _sqlite()}
)
# After install(), call recount.correct_all(), because no trigger has counted earlier writes.
are_present, present, install, remove = (
    _SET.are_present,
    _SET.present,
    _SET.install,
    _SET.remove,
)
TABLES = _SET.tables
NotPermitted = trigger_sets.NotPermitted
