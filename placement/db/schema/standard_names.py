"""Filling in the standard resource classes and traits, when the service starts and in db sync."""

import contextlib

import os_resource_classes
import os_traits
import sqlalchemy as sa

from placement.db import tables


def synchronise(database):
    """Add the names of os-traits and os-resource-classes that the database lacks.

    Nothing is renamed or deleted. The id of a standard class is its position in the list of
    os-resource-classes, so VCPU is 0.
    """
    # Other processes that start at the same time may add these rows first.
    database.in_transaction(_add_missing_names)


def _add_missing_names(conn):
    _add_traits(conn)
    _add_resource_classes(conn)


def _add_traits(conn):
    known = set(conn.scalars(sa.select(tables.traits.c.name)))
    missing = sorted(set(os_traits.get_traits()) - known)
    if missing:
        conn.execute(sa.insert(tables.traits), [{"name": name} for name in missing])


def _add_resource_classes(conn):
    known = set(conn.scalars(sa.select(tables.resource_classes.c.name)))
    missing = [
        {"id": position, "name": name}
        for position, name in enumerate(os_resource_classes.STANDARDS)
        if name not in known
    ]
    if missing:
        with _zero_is_an_id(conn):
            conn.execute(sa.insert(tables.resource_classes), missing)


@contextlib.contextmanager
def _zero_is_an_id(conn):
    """Context manager: inside it, MySQL stores an inserted id of 0 as it is.

    By default, MySQL takes a 0 as a request for the next free number.
    """
    if conn.dialect.name != "mysql":
        yield
        return
    mode = conn.scalar(sa.text("SELECT @@SESSION.sql_mode"))
    set_mode = sa.text("SET SESSION sql_mode = :mode")
    conn.execute(set_mode, {"mode": f"{mode},NO_AUTO_VALUE_ON_ZERO"})
    try:
        yield
    finally:
        conn.execute(set_mode, {"mode": mode})
