"""Triggers that keep the derived sums right when others write, even by hand in SQL.

Those on allocations change inventories.used by the amount, those on inventories derive the
capacity, and those on resource_providers mark the new generation as counted. Our own statements
adjust the sums themselves (capacity.py), write a capacity with each inventory and advance both
generations together, whether there are triggers or not; `OurStatement` makes the triggers skip
them. Only the use of a new inventory is left to a trigger, as allocations may be older than the
inventory.
"""

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import functions

from placement.db.derived_sums import recount
from placement.db.faults import codes, outages
from placement.db.faults.drivers import sqlstate

# MySQL's errors for an account without SUPER, which it requires if there is a binary log.
_SUPER_DENIED = {1227, 1419}
_GRANT = "GRANT TRIGGER ON {database}.* TO {account}"
_TRUST = "SET GLOBAL log_bin_trust_function_creators = 1"


NOT_OWNER = (
    "The account of this service may not change the tables: use the account that owns them for "
    "this command."
)


class NotPermitted(Exception):
    """The account may not create or drop the triggers; the message says what to do."""


class OurStatement(functions.FunctionElement):
    """A condition that turns off the triggers on allocations, or that is true only if they are off.

    It is part of the statement that adjusts the sum. A setting at the start of a connection or
    transaction would cost another statement, or fail behind a pooler that gives each transaction
    another session or resets its state. On PostgreSQL it is always true, and lasts for the
    transaction. On MySQL it is true only in a session that is as engine/connecting.py has set it
    up, with the triggers turned off: `check_session` finds out. SQLite, which has one writer at a
    time, does without: there the triggers compute the whole sum, and may do so twice. It is a
    function because SQLAlchemy would compile a statement with any other custom element each time it
    is executed.
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
    return f"(@placement_native = 1 AND @@{isolation} = 'READ-COMMITTED')"


@compiles(OurStatement, "postgresql")
def _set_configuration(element, compiler, **_options):
    return "set_config('placement.native', 'on', true) = 'on'"


def check_session(conn):
    """Call it if a statement with OurStatement has matched too few rows.

    Cost: a query on MySQL.
    Raises: SessionChanged.
    """
    if conn.dialect.name == "mysql" and not conn.scalar(sa.select(OurStatement())):
        raise outages.SessionChanged


class Trigger(NamedTuple):
    """A trigger: when and where it fires, and what it does."""

    name: str
    when: str
    table: str
    body: str


_SUM = (
    "(SELECT COALESCE(SUM(allocations.used), 0) FROM allocations"
    " WHERE allocations.resource_provider_id = {row}.resource_provider_id"
    " AND allocations.resource_class_id = {row}.resource_class_id)"
)
_OF_ROW = (
    "WHERE resource_provider_id = {row}.resource_provider_id"
    " AND resource_class_id = {row}.resource_class_id"
)
# Our writers lock the provider before the inventory. Other programs would lock the inventory (by
# the trigger) before they advance the generation of the provider: a deadlock.
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
    def for_others(statements):
        return f"IF @placement_native IS NULL THEN {statements} END IF"

    def counting(event, statements):
        return Trigger(
            f"placement_allocations_{event.lower()}",
            f"AFTER {event}",
            "allocations",
            for_others(" ".join(statements)),
        )

    def deriving(table, event, assignments):
        # Only the UPDATE trigger skips our statements, to make claims cheaper. Our own inserts
        # need the INSERT trigger: see above.
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


_TRIGGERS = {"mysql": _mysql(), "postgresql": _postgresql(), "sqlite": _sqlite()}
# The tables that have triggers, the same on each kind of database.
TABLES = tuple(dict.fromkeys(trigger.table for trigger in _TRIGGERS["mysql"]))

_DROP = {
    "mysql": ["DROP TRIGGER IF EXISTS {name}"],
    "postgresql": [
        "DROP TRIGGER IF EXISTS {name} ON {table}",
        "DROP FUNCTION IF EXISTS {name}()",
    ],
    "sqlite": ["DROP TRIGGER IF EXISTS {name}"],
}
# The last statement creates the trigger; those before it remove an older one.
_CREATE = {
    "mysql": [*_DROP["mysql"], "CREATE TRIGGER {name} {when} ON {table} FOR EACH ROW {body}"],
    # Keeps the current search path, as other sessions may have another one, or none. Only the owner
    # of a table may drop its triggers; to replace one, the privilege TRIGGER is enough.
    "postgresql": [
        "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
        " SET search_path FROM CURRENT AS $body${body}$body$",
        "CREATE OR REPLACE TRIGGER {name} {when} EXECUTE FUNCTION {name}()",
    ],
    "sqlite": [*_DROP["sqlite"], "CREATE TRIGGER {name} {when} ON {table} BEGIN {body} END"],
}
# What an administrator of PostgreSQL has to execute to allow these statements.
_LACKING_IN_POSTGRESQL = """
    SELECT format('GRANT TRIGGER ON %s TO %I', string_agg(name, ', '), current_user)
    FROM unnest(CAST(:tables AS text[])) AS name
    WHERE NOT has_table_privilege(name, 'TRIGGER') HAVING count(*) > 0
    UNION ALL
    SELECT format('GRANT CREATE ON SCHEMA %I TO %I', current_schema(), current_user)
    WHERE NOT has_schema_privilege(current_schema(), 'CREATE')
    UNION ALL
    SELECT format('ALTER FUNCTION %s OWNER TO %I', CAST(oid AS regprocedure), current_user)
    FROM pg_proc
    WHERE pronamespace = CAST(current_schema() AS regnamespace) AND proname = ANY(:functions)
        AND NOT pg_has_role(proowner, 'USAGE')
"""
# Selects (name, body as it was created) of the triggers that fire.
_PRESENT = {
    # For this condition, MariaDB opens the tables of one schema. For one on trigger_schema, it
    # would open those of all schemas, and wait while one of them is being dropped.
    "mysql": "SELECT trigger_name, action_statement FROM information_schema.triggers"
    " WHERE event_object_schema = DATABASE()",
    "postgresql": "SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
    " WHERE tgenabled <> 'D' AND tgrelid IN (to_regclass('allocations'),"
    " to_regclass('inventories'), to_regclass('resource_providers'))",
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
}


def are_present(conn):
    """Whether all triggers are there, as this release defines them.

    MySQL shows triggers only to accounts that may create them.
    """
    return not _missing(conn)


def present(conn):
    """Return the names of our triggers that are there, of any release."""
    known = {trigger.name for trigger in _TRIGGERS[conn.dialect.name]}
    return sorted(known.intersection(_bodies(conn)))


def _bodies(conn):
    return dict(conn.execute(sa.text(_PRESENT[conn.dialect.name])).all())


def _missing(conn):
    bodies = _bodies(conn)
    return [
        trigger
        for trigger in _TRIGGERS[conn.dialect.name]
        if _body(conn, trigger) != bodies.get(trigger.name)
    ]


def _body(conn, trigger):
    if conn.dialect.name == "sqlite":
        # SQLite keeps the whole statement.
        return _CREATE["sqlite"][-1].format(**trigger._asdict())
    return trigger.body


def install(conn):
    """Create the triggers that are missing.

    Other writers wait until they exist. Call recount.settle afterwards: earlier writes were not
    counted.
    Raises: NotPermitted.
    """
    missing = _missing(conn)
    if missing and conn.dialect.name == "postgresql":
        _check_rights_on_postgresql(conn)
    for trigger in missing:
        _execute(conn, _CREATE, trigger)


def remove(conn):
    """Drop the triggers that exist.

    Raises: NotPermitted.
    """
    for trigger in _TRIGGERS[conn.dialect.name]:
        _execute(conn, _DROP, trigger)


def _check_rights_on_postgresql(conn):
    triggers = _TRIGGERS["postgresql"]
    lacking = conn.scalars(
        sa.text(_LACKING_IN_POSTGRESQL),
        {
            "tables": [trigger.table for trigger in triggers],
            "functions": [trigger.name for trigger in triggers],
        },
    ).all()
    if lacking:
        raise _not_permitted("; ".join(lacking))


def _not_permitted(remedy):
    return NotPermitted(
        "The account of this service may not create triggers. An administrator of the database "
        f"can allow it: {remedy}"
    )


def _execute(conn, statements, trigger):
    # This bypasses SQLAlchemy because oslo.db does not know the errors for a missing privilege, and
    # would log them with a traceback.
    cursor = conn.connection.cursor()
    try:
        for statement in statements[conn.dialect.name]:
            cursor.execute(statement.format(**trigger._asdict()))
    except conn.dialect.loaded_dbapi.Error as error:
        if (refusal := _refusal(error, conn, cursor)) is None:
            raise
        raise refusal from error
    finally:
        cursor.close()


def _refusal(error, conn, cursor):
    """Return the NotPermitted for a driver's error, or None if it means something else."""
    if sqlstate(error) == codes.DENIED_ON_POSTGRESQL:
        return NotPermitted(NOT_OWNER)
    if _SUPER_DENIED.intersection(error.args):
        return _not_permitted(_TRUST)
    if codes.DENIED_ON_TABLE in error.args:
        account = _mysql_account(cursor)
        return _not_permitted(_GRANT.format(database=conn.engine.url.database, account=account))
    return None


def _mysql_account(cursor):
    """Return the account that is connected, written as in GRANT: user and host."""
    cursor.execute("SELECT CURRENT_USER()")
    user, _, host = cursor.fetchone()[0].rpartition("@")
    return f"'{user}'@'{host}'"
