"""Find, create and drop sets of triggers on each kind of database."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db.faults import codes, denials
from placement.db.faults.drivers import sqlstate

# The variable that is 1 in our own sessions on MySQL; connecting.py sets it.
OURS_ON_MYSQL = "@placement_native"
# The condition of a MySQL trigger that fires only for writes of others. It must not be `IS NULL`:
# sessions share a trigger, and if the variable has a value in the first of these sessions, MySQL
# 9.7 evaluates `IS NULL` as false in all of them.
IS_FOREIGN_ON_MYSQL = f"NOT ({OURS_ON_MYSQL} <=> 1)"

# MySQL's errors for an account without SUPER, which MySQL requires if there is a binary log.
_SUPER_DENIED = {1227, 1419}
_GRANT = "GRANT TRIGGER ON {database}.* TO {account}"
_TRUST_ACCOUNTS = "SET GLOBAL log_bin_trust_function_creators = 1"


class NotPermitted(Exception):
    """The account may not create or drop the triggers; the message says what to do."""


class Trigger(NamedTuple):
    """A trigger: when and where it fires, and what it does.

    rights     of its function in PostgreSQL: those of the writer (SECURITY INVOKER), or those of
               the account that created the function (SECURITY DEFINER), as triggers in MySQL
               always have
    condition  in SQLite: SQL that must be true for the trigger to fire
    """

    name: str
    when: str
    table: str
    body: str
    rights: str = "SECURITY INVOKER"
    condition: str = "1"


_DROP = {
    "mysql": ["DROP TRIGGER IF EXISTS {name}"],
    "postgresql": [
        "DROP TRIGGER IF EXISTS {name} ON {table}",
        "DROP FUNCTION IF EXISTS {name}()",
    ],
    "sqlite": ["DROP TRIGGER IF EXISTS {name}"],
}
# The last statement creates the trigger. Those before it remove an older one or, on PostgreSQL,
# create its function.
_CREATE = {
    "mysql": [*_DROP["mysql"], "CREATE TRIGGER {name} {when} ON {table} FOR EACH ROW {body}"],
    # The function keeps the current search path, because other sessions may have another one, or
    # none. The trigger is replaced, because only the owner of a table may drop its triggers; to
    # replace one, the privilege TRIGGER is enough.
    "postgresql": [
        "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
        " {rights} SET search_path FROM CURRENT AS $body${body}$body$",
        "CREATE OR REPLACE TRIGGER {name} {when} EXECUTE FUNCTION {name}()",
    ],
    "sqlite": [
        *_DROP["sqlite"],
        "CREATE TRIGGER {name} {when} ON {table} WHEN {condition} BEGIN {body} END",
    ],
}
# Selects what a PostgreSQL administrator has to execute to allow these statements.
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
    # For this condition, MariaDB opens the tables of one schema. For a condition on
    # trigger_schema, it would open those of all schemas, and wait while one of the schemas is being
    # dropped.
    "mysql": "SELECT trigger_name, action_statement FROM information_schema.triggers"
    " WHERE event_object_schema = DATABASE()",
    "postgresql": "SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
    " WHERE tgenabled <> 'D' AND NOT tgisinternal"
    " AND tgrelid IN (SELECT oid FROM pg_class"
    " WHERE relnamespace = CAST(current_schema() AS regnamespace))",
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
}


class TriggerSet:
    """Triggers that are installed and removed together.

    tables  the tables with triggers, which are the same on each kind of database
    """

    def __init__(self, by_kind):
        """by_kind: {kind of database: its Triggers}"""
        self._by_kind = by_kind
        # On each kind of database, the triggers are on the same tables.
        self.tables = tuple(dict.fromkeys(trigger.table for trigger in by_kind["mysql"]))

    def are_present(self, conn):
        """Whether all of the triggers are there, as this release defines them.

        MySQL shows triggers only to accounts that may create them.
        """
        return not self._missing(conn)

    def present(self, conn):
        """Return the names of the triggers that are there, of any release."""
        known = {trigger.name for trigger in self._by_kind[conn.dialect.name]}
        return sorted(known.intersection(_bodies(conn)))

    def install(self, conn):
        """Create triggers that are missing, and replace those that differ. Other writers wait.

        Raises: NotPermitted.
        """
        missing = self._missing(conn)
        if missing and conn.dialect.name == "postgresql":
            self._check_rights_on_postgresql(conn)
        for trigger in missing:
            _execute(conn, _CREATE, trigger)

    def remove(self, conn):
        """Drop the triggers that exist.

        Raises: NotPermitted.
        """
        for trigger in self._by_kind[conn.dialect.name]:
            _execute(conn, _DROP, trigger)

    def _missing(self, conn):
        """Return the Triggers that do not exist as this release defines them."""
        bodies = _bodies(conn)
        return [
            trigger
            for trigger in self._by_kind[conn.dialect.name]
            if _body(conn, trigger) != bodies.get(trigger.name)
        ]

    def _check_rights_on_postgresql(self, conn):
        """Raises: NotPermitted if rights are lacking, with the statements that would give them."""
        lacking = conn.scalars(
            sa.text(_LACKING_IN_POSTGRESQL),
            {
                "tables": list(self.tables),
                "functions": [trigger.name for trigger in self._by_kind["postgresql"]],
            },
        ).all()
        if lacking:
            raise _not_permitted("; ".join(lacking))


def _bodies(conn):
    """Return {name of a trigger that exists: its body}."""
    return dict(conn.execute(sa.text(_PRESENT[conn.dialect.name])).all())


def _body(conn, trigger):
    """Return the body that _bodies() will have for a Trigger once it has been created."""
    if conn.dialect.name == "sqlite":
        # SQLite keeps the whole statement.
        return _CREATE["sqlite"][-1].format(**trigger._asdict())
    return trigger.body


def _not_permitted(remedy):
    """Return a NotPermitted; `remedy` is the SQL that would give the account the right."""
    return NotPermitted(
        "The account of this service may not create triggers. An administrator of the database "
        f"can allow it: {remedy}"
    )


def _execute(conn, statements, trigger):
    """Execute the statements for this kind of database, filled in with the fields of a Trigger.

    statements: _CREATE or _DROP
    Raises: NotPermitted.
    """
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
        return NotPermitted(denials.in_words(error))
    if _SUPER_DENIED.intersection(error.args):
        # With a binary log, MySQL requires SUPER only if it does not trust all who create triggers.
        return _not_permitted(_TRUST_ACCOUNTS)
    if codes.DENIED_ON_TABLE in error.args:
        account = _mysql_account(cursor)
        return _not_permitted(_GRANT.format(database=conn.engine.url.database, account=account))
    return None


def _mysql_account(cursor):
    """Return the account that is connected, written as in GRANT: user and host."""
    cursor.execute("SELECT CURRENT_USER()")
    user, _, host = cursor.fetchone()[0].rpartition("@")
    return f"'{user}'@'{host}'"
