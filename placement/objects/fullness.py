"""How full is the cloud? Source: doc/how-to/capacity.rst."""

from typing import NamedTuple

from placement.db import fullness as db_fullness

GROUPINGS = db_fullness.GROUPINGS

sums = db_fullness.sums
inventories = db_fullness.inventories


class Fullness(NamedTuple):
    """hosts is the number of roots; see db/fullness.py for the Sums and the fullest Fills."""

    by: str
    hosts: int
    sums: list[db_fullness.Sum]
    fullest: list[db_fullness.Fill]


def measure(conn, by, top):
    """Return the Fullness by class, aggregate or trait, with the `top` fullest inventories.

    Cost: three queries by class, five by something else.
    """
    return Fullness(
        by,
        db_fullness.hosts(conn),
        db_fullness.sums(conn, by),
        db_fullness.fullest(conn, top) if top else [],
    )
