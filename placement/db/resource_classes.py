"""SQL statements for resource classes."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.names_and_ids import NamedRow
from placement.db.sql import complete_rows
from placement.db.sql.complete_rows import IS_COMPLETE
from placement.db.sql.conditions import is_one_of

_classes = tables.resource_classes

# Classes with lower ids are standard.
FIRST_CUSTOM_ID = 10000

_query = sa.select(
    _classes.c.id, _classes.c.name, _classes.c.created_at, _classes.c.updated_at
).order_by(_classes.c.id)


_highest_ids = sa.select(
    sa.select(sa.func.max(_classes.c.id)).scalar_subquery(),
    sa.select(sa.func.max(tables.inventories.c.resource_class_id)).scalar_subquery(),
    IS_COMPLETE,
)


def is_custom(class_id):
    """Whether a class is not one of the standard ones."""
    return class_id >= FIRST_CUSTOM_ID


def list_all(conn):
    """Return the NamedRow of every class, standard ones first."""
    return [NamedRow(*row) for row in conn.execute(_query)]


def find(conn, name):
    """Return the NamedRow with exactly this name, or None."""
    row = conn.execute(_query.where(_classes.c.name == name)).one_or_none()
    return NamedRow(*row) if row and row.name == name else None


def insert(conn, name):
    """Add a custom class, with the id that follows the highest one.

    So the id of the newest class is reused once that class is deleted, as in openstack-placement.
    An id that an inventory still refers to is not reused, even if its class is gone.

    Raises: DBDuplicateEntry when the name is taken, or another writer takes the id first.
    """
    # The highest id of a class, and the highest one that inventories refer to. Each may be None.
    [highest_ids] = complete_rows.checked(conn.execute(_highest_ids))
    next_id = max(*(highest or 0 for highest in highest_ids), FIRST_CUSTOM_ID - 1) + 1
    conn.execute(sa.insert(_classes).values(id=next_id, name=name))


def rename(conn, class_id, name, new_name):
    """Rename a class. Return whether there was a class with this id and name.

    Raises: DBDuplicateEntry when the name is taken.
    """
    statement = sa.update(_classes).where(*_is(class_id, name)).values(name=new_name)
    return conn.execute(statement).rowcount == 1


def _is(class_id, name):
    """The conditions for a class that was read before. Another class may have its id by now."""
    return _classes.c.id == class_id, _classes.c.name == name


def delete(conn, class_id):
    conn.execute(sa.delete(_classes).where(_classes.c.id == class_id))


def has_inventory(conn, class_id):
    query = sa.select(tables.inventories.c.id).where(
        tables.inventories.c.resource_class_id == class_id
    )
    return conn.execute(query.limit(1)).first() is not None


def lock(conn, class_id, name):
    """Lock a class in order to delete it, after waiting for transactions that prevent deletion.

    Return whether the class still exists, with this id and this name.
    """
    query = sa.select(_classes.c.id).where(*_is(class_id, name)).with_for_update()
    return conn.execute(query).first() is not None


def prevent_deletion(conn, class_ids):
    """Keep others from deleting classes. Return {name: id} of the classes that still exist."""
    query = (
        sa.select(_classes.c.name, _classes.c.id)
        .where(is_one_of(_classes.c.id, class_ids))
        .with_for_update(read=True)
    )
    return dict(conn.execute(query).all())
