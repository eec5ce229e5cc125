"""How full the cloud is. Source: doc/how-to/capacity.rst."""

from typing import NamedTuple

from placement.db.reports import capacity_report as report
from placement.db.reports import usage_by_owner

# How rows can be grouped: by what providers have, or by who uses it.
BY_CLASS = report.BY_CLASS
OWNERS = usage_by_owner.GROUPINGS
GROUPINGS = (*report.GROUPINGS, *OWNERS)

# For people: what counts in which group.
COUNTED = {
    BY_CLASS: "Every provider counts once.",
    "aggregate": "A provider counts in each of its aggregates, and in those of its root: an "
    "aggregate of hosts includes what is below them.",
    "trait": "A provider counts for each of its own traits: a trait of the root says nothing about "
    "what is below it.",
    "project": "A consumer counts in its project, with everything it uses; the capacity is that of "
    "all providers.",
    "consumer_type": "A consumer counts in its type, with everything it uses; the capacity is that "
    "of all providers.",
}

sums = report.sums
inventories = report.inventories


class CapacityReport(NamedTuple):
    """How full the cloud is, grouped `by` one of GROUPINGS.

    host_count  the number of roots
    sums        the Sum of each group; by project or consumer type, that of each class
    fullest     the Fills of the fullest inventories
    usages      the OwnerUsages by project or consumer type; otherwise empty
    """

    by: str
    host_count: int
    sums: list[report.Sum]
    fullest: list[report.Fill]
    usages: list[usage_by_owner.OwnerUsage]

    @property
    def capacities(self):
        """{class: capacity of all providers}, if the sums are those of the classes."""
        return {each.class_name: each.capacity for each in self.sums}


def measure(conn, by, top):
    """Return the CapacityReport by one of GROUPINGS, with the `top` fullest inventories.

    Cost: four queries by class, five by project or consumer type, six by aggregate or trait.
    """
    is_by_owner = by in OWNERS
    return CapacityReport(
        by,
        host_count=report.host_count(conn),
        sums=report.sums(conn, BY_CLASS if is_by_owner else by),
        fullest=report.fullest(conn, top) if top else [],
        usages=usage_by_owner.usages(conn, by) if is_by_owner else [],
    )
