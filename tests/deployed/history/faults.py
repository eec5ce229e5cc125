"""What a checker finds."""

import enum
from typing import NamedTuple


class Kind(enum.StrEnum):
    """A kind of fault; the value is what a report calls it."""

    NO_ORDER = "no order of the calls explains all answers"
    UNDECIDED = "the search for an order was given up"
    TWICE = "a generation was given twice"
    REFUSED = "a refused claim was read"
    NOBODYS = "a value that nobody wrote was read"
    OWN_WRITE = "a server does not show its own write"
    STALE = "a server does not show the write of another"
    TORN = "part of a claim was read"
    CAPACITY = "amounts are wrong"
    UNEXPECTED = "an error that nothing explains"
    NEEDLESS = "a claim was refused though its generation was right"


class Fault(NamedTuple):
    """`calls` are those that show it."""

    kind: Kind
    text: str
    calls: list
