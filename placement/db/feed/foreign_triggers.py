"""Triggers that store in the feed what others write, even by hand in SQL.

Each trigger stores a row without an operation, and with only what the written row contains. The
rest is read when the stored row gets a position (objects/feed/foreign_changes.py). A trigger reads
nothing, because on MySQL, the transactions of other programs are REPEATABLE READ, and would lock
what it reads.

    kind              uuid                  name  generations     states
    allocations       of the consumer
    provider          of the provider       its   its generation  ids of parent and root, after
    inventories, ...  id of the provider
    trait, ...                              its                   names, before and after

Our own transactions are recognised by something that costs them no statement:

- in MySQL, a variable of the session;
- in PostgreSQL, BEGIN DEFERRABLE, which otherwise matters only if the transaction is SERIALIZABLE
  and READ ONLY;
- in SQLite, the function sqlite_source_id(), which our connections replace.
"""

from placement.db import tables
from placement.db.feed.recording import ChangeKind
from placement.db.sql.trigger_sets import IS_FOREIGN_ON_MYSQL, Trigger, TriggerSet

# What our connections to SQLite return for sqlite_source_id().
SQLITE_MARK = "placement"

_IS_FOREIGN = {
    "mysql": IS_FOREIGN_ON_MYSQL,
    "postgresql": "current_setting('transaction_deferrable') = 'off'",
    "sqlite": f"sqlite_source_id() <> '{SQLITE_MARK}'",
}
_NOW = {
    "mysql": "UTC_TIMESTAMP()",
    "postgresql": "date_trunc('second', clock_timestamp() AT TIME ZONE 'UTC')",
    "sqlite": "strftime('%Y-%m-%d %H:%M:%S.000000', 'now')",
}
_TEXT = {"mysql": "CHAR", "postgresql": "TEXT", "sqlite": "TEXT"}
# {table: (kind, the column with the uuid of a consumer or the id of a provider)}
_OF_SUBJECTS = {
    "consumers": (ChangeKind.ALLOCATIONS, "uuid"),
    "allocations": (ChangeKind.ALLOCATIONS, "consumer_id"),
    "inventories": (ChangeKind.INVENTORIES, "resource_provider_id"),
    "resource_provider_traits": (ChangeKind.TRAITS, "resource_provider_id"),
    "resource_provider_aggregates": (ChangeKind.AGGREGATES, "resource_provider_id"),
}
_WITH_NAMES = {
    "resource_classes": ChangeKind.RESOURCE_CLASS,
    "traits": ChangeKind.TRAIT,
}
_PROVIDERS = "resource_providers"
# The columns whose UPDATE is reported. The others are the derived sums, which other triggers
# change.
_WATCHED = {
    "inventories": (
        *("resource_provider_id", "resource_class_id", "total", "reserved"),
        *("min_unit", "max_unit", "step_size", "allocation_ratio"),
    ),
    _PROVIDERS: ("uuid", "name", "generation", "root_provider_id", "parent_provider_id"),
}
# The id of the parent (0 if there is none), and the id of the root.
_PARENT_AND_ROOT = {
    system: text.format(
        "COALESCE(NEW.parent_provider_id, 0)", "COALESCE(NEW.root_provider_id, NEW.id)"
    )
    for system, text in {
        "mysql": "CONCAT({}, ',', {})",
        "postgresql": "{} || ',' || {}",
        "sqlite": "{} || ',' || {}",
    }.items()
}
_EVENTS = ("INSERT", "UPDATE", "DELETE")
_TABLES = (*_OF_SUBJECTS, *_WITH_NAMES, _PROVIDERS)


def _statements(system, table, event):
    """Return the INSERTs into the feed for a row on which a trigger fires.

    system: "mysql", "postgresql" or "sqlite"; event: "INSERT", "UPDATE" or "DELETE"
    """
    if table in _WITH_NAMES:
        return _insert(system, _values_of_name(_WITH_NAMES[table], event))
    if table == _PROVIDERS:
        return _insert(system, _values_of_provider(system, event))
    # In the other tables, each row belongs to a subject, whose id is in the column `key`.
    kind, key = _OF_SUBJECTS[table]
    # SQL written by hand may move a row to another subject.
    rows = {"INSERT": ["NEW"], "UPDATE": ["OLD", "NEW"], "DELETE": ["OLD"]}[event]
    return " ".join(
        _insert(system, {"kind": f"'{kind}'", "uuid": f"CAST({row}.{key} AS {_TEXT[system]})"})
        for row in rows
    )


def _values_of_name(kind, event):
    """Return {column of the feed: SQL} for a class or a trait."""
    row = "OLD" if event == "DELETE" else "NEW"
    values = {"kind": f"'{kind}'", "name": f"{row}.name"}
    if event != "INSERT":
        values["state_before"] = "OLD.name"
    if event != "DELETE":
        values["state_after"] = "NEW.name"
    return values


def _values_of_provider(system, event):
    """Return {column of the feed: SQL} for a provider."""
    row = "OLD" if event == "DELETE" else "NEW"
    values = {
        "kind": f"'{ChangeKind.PROVIDER}'",
        "uuid": f"{row}.uuid",
        "name": f"{row}.name",
        "generations": f"CAST({row}.generation AS {_TEXT[system]})",
    }
    if event != "DELETE":
        values["state_after"] = _PARENT_AND_ROOT[system]
    return values


def _insert(system, values):
    """Return the INSERT of a row into the feed; `values` is {column: SQL}."""
    values = {"written_at": _NOW[system]} | values
    names, texts = ", ".join(values), ", ".join(values.values())
    return f"INSERT INTO {tables.changes.name} ({names}) VALUES ({texts});"  # noqa: S608


def _name(table, event=""):
    """Return the name of a trigger, for one event or for all events of a table.

    Examples: placement_tell_traits_insert, placement_tell_traits.
    """
    return f"placement_tell_{table}{event and '_'}{event.lower()}"


def _update(table):
    """Return the event of an UPDATE, as PostgreSQL and SQLite name it."""
    return f"UPDATE OF {', '.join(_WATCHED[table])}" if table in _WATCHED else "UPDATE"


def _mysql():
    """Return the Triggers for MySQL and MariaDB, one for each table and event."""

    def condition(table, event):
        # For some tables, an UPDATE counts only if it changes one of the _WATCHED columns.
        if event != "UPDATE" or table not in _WATCHED:
            return _IS_FOREIGN["mysql"]
        old, new = (
            ", ".join(f"{row}.{column}" for column in _WATCHED[table]) for row in ("OLD", "NEW")
        )
        return f"{_IS_FOREIGN['mysql']} AND NOT (({old}) <=> ({new}))"

    return [
        Trigger(
            _name(table, event),
            f"AFTER {event}",
            table,
            f"IF {condition(table, event)} THEN {_statements('mysql', table, event)} END IF",
        )
        for table in _TABLES
        for event in _EVENTS
    ]


def _sqlite():
    """Return the Triggers for SQLite, one for each table and event."""
    return [
        Trigger(
            _name(table, event),
            f"AFTER {_update(table) if event == 'UPDATE' else event}",
            table,
            _statements("sqlite", table, event),
            condition=_IS_FOREIGN["sqlite"],
        )
        for table in _TABLES
        for event in _EVENTS
    ]


def _postgresql():
    """Return the Triggers for PostgreSQL, one for all events of a table."""

    def trigger_of(table):
        inserted, updated, deleted = (
            _statements("postgresql", table, event) for event in _EVENTS
        )
        return Trigger(
            _name(table),
            f"AFTER INSERT OR {_update(table)} OR DELETE ON {table} FOR EACH ROW"
            f" WHEN ({_IS_FOREIGN['postgresql']})",
            table,
            f"BEGIN IF TG_OP = 'INSERT' THEN {inserted} ELSIF TG_OP = 'UPDATE' THEN {updated}"
            f" ELSE {deleted} END IF; RETURN NULL; END",
            # The account of another program has no rights to the feed.
            rights="SECURITY DEFINER",
        )

    return [trigger_of(table) for table in _TABLES]


FOREIGN_WRITES = TriggerSet(
    {"mysql": _mysql(), "postgresql": _postgresql(), "sqlite": _sqlite()}
)
