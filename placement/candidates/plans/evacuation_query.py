"""What is asked of plans: values; pure."""

from typing import NamedTuple


class EvacuationQuery(NamedTuple):
    """What to empty, and what a new place must have.

    hosts           uuids or names
    aggregates      uuids
    keep            patterns of traits that a new provider must have if the old one has them
    same_aggregate  whether the new provider must be in one of the old one's aggregates
    """

    hosts: frozenset[str]
    aggregates: frozenset[str] = frozenset()
    keep: tuple[str, ...] = ()
    same_aggregate: bool = False
