"""The columns that `placement-manage capacity` prints, some of which --import reads."""

import enum


class Column(enum.StrEnum):
    """A column. A group is an aggregate, a trait, a project or a consumer type."""

    GROUP = "Group"
    NAME = "Name"
    CLASS = "Class"
    USED = "Used"
    CAPACITY = "Capacity"
    TOTAL = "Total"
    RESERVED = "Reserved"
    LARGEST_FREE = "Largest free"
    PROVIDERS = "Providers"
    FULL = "Full"
    CONSUMERS = "Consumers"
    HOSTS = "Hosts"
    AT = "At"


# The values are plain strings, which every format can print.
NAMES = tuple(each.value for each in Column)


def row(cells):
    """Return a row with a cell for each Column: its value in `cells`, {Column: value}, or None."""
    return [cells.get(column) for column in Column]
