"""What a request for a plan asks for, as plain values; pure."""

from typing import NamedTuple


class EvacuationQuery(NamedTuple):
    """What to empty, and what a new place must have.

    hosts           uuids or names
    aggregates      uuids
    keep            patterns for the names of the traits in Wishes (needs.py)
    same_aggregate  as in Wishes
    """

    hosts: frozenset[str]
    aggregates: frozenset[str] = frozenset()
    keep: tuple[str, ...] = ()
    same_aggregate: bool = False
