"""How full the cloud is. Source: doc/how-to/capacity.rst."""

from typing import NamedTuple

from placement.db.reports import capacity_report as report

# How many of the fullest inventories are shown, unless the caller says so.
TOP = 20

GROUPINGS = report.GROUPINGS

sums = report.sums
inventories = report.inventories


class CapacityReport(NamedTuple):
    """hosts is the number of roots; the Sums and Fills are those of the report."""

    by: str
    hosts: int
    sums: list[report.Sum]
    fullest: list[report.Fill]


def measure(conn, by, top):
    """Return the CapacityReport by class, aggregate or trait, with the `top` fullest inventories.

    Cost: four queries by class, six by aggregate or trait.
    """
    return CapacityReport(
        by,
        report.hosts(conn),
        report.sums(conn, by),
        report.fullest(conn, top) if top else [],
    )
