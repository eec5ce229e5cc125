"""The hosts or aggregates that a cloud cannot spare: not all of their consumers fit elsewhere.

For each host or aggregate, its evacuation is planned in the cloud as it is now.
Source: doc/how-to/planning.rst.
"""

import collections
from typing import NamedTuple

from placement import exception
from placement.candidates.effort import SpentError
from placement.candidates.plans import cloud as clouds
from placement.candidates.plans import moves, needs
from placement.candidates.plans.cloud import WholeCloud
from placement.candidates.plans.destinations import Destinations
from placement.db import names_and_ids
from placement.db.names_and_ids import NamedProvider
from placement.db.search import holders
from placement.db.search import hosts as db_hosts
from placement.db.search.holders import Holder

GROUPINGS = ("host", "aggregate")

# Each consumer raises the bound on the effort by as much as this many providers do.
_PROVIDERS_OF_A_CONSUMER = 10


class Losable(NamedTuple):
    """What may be lost as a whole: a host, or all hosts of an aggregate. Aggregates have no name.

    is_disabled  whether it is a host that nova has disabled
    """

    uuid: str
    name: str | None
    root_ids: frozenset[int]
    is_disabled: bool = False


class LossState(NamedTuple):
    """What is read of a cloud for `examine`.

    by       one of GROUPINGS
    holders  {root_id: the Holders of anything in that tree}
    """

    by: str
    cloud: WholeCloud
    holders: dict[int, list[Holder]]
    losable: list[Losable]


class UnaffordableLoss(NamedTuple):
    """A host or aggregate that the cloud cannot spare.

    consumer_count  how many consumers it has
    left            how many of these find no place
    """

    uuid: str
    name: str | None
    consumer_count: int
    left: int
    is_disabled: bool = False


class Survival(NamedTuple):
    """Which hosts or aggregates the cloud cannot spare.

    by    one of GROUPINGS
    all   how many hosts or aggregates there are
    lost  those that the cloud cannot spare
    """

    by: str
    all: int
    lost: list[UnaffordableLoss]


def read(conn, by, effort):
    """Return the LossState, for hosts or for aggregates (one of GROUPINGS).

    Cost: two queries for each batch of hosts and for each batch of consumers, and at most ten more.
    Raises: SurvivalTooLong.
    """
    try:
        return _read(conn, by, effort)
    except SpentError:
        raise exception.SurvivalTooLong() from None


def _read(conn, by, effort):
    """Return the LossState, for hosts or for aggregates. Raises: SpentError."""
    cloud = clouds.read(conn, keep=(), same_aggregate=False, effort=effort)
    root_of = {provider.id: provider.root_id for provider in cloud.forest.providers.values()}
    holders_by_root_id = collections.defaultdict(list)
    for holder in holders.read_all(conn):
        effort.allow_for(_PROVIDERS_OF_A_CONSUMER)
        # Spending effort also checks whether the client has hung up.
        effort.add_reasons(1)
        for root_id in {root_of.get(each.provider_id) for each in holder.held}:
            holders_by_root_id[root_id].append(holder)
    return LossState(by, cloud, holders_by_root_id, _READ_LOSABLE[by](conn, cloud))


def examine(state, effort, tell=None):
    """Return the Survival of a LossState.

    tell: called with the number of hosts or aggregates that have been examined
    Raises: SurvivalTooLong.
    """
    destinations = Destinations(state.cloud.forest, state.cloud.disabled_trait_id, effort)
    lost = []
    try:
        for number, losable in enumerate(state.losable):
            if tell is not None:
                tell(number)
            total, left = _loss(losable, state, destinations)
            if left:
                lost.append(
                    UnaffordableLoss(losable.uuid, losable.name, total, left, losable.is_disabled)
                )
    except SpentError:
        raise exception.SurvivalTooLong() from None
    lost.sort(key=lambda each: -each.left)
    return Survival(state.by, len(state.losable), lost)


def _loss(losable, state, destinations):
    """Return how many consumers a Losable has, and how many of them find no place."""
    held_by_consumer_id = {
        holder.id: holder.held
        for root_id in losable.root_ids
        for holder in state.holders.get(root_id, ())
    }
    if not held_by_consumer_id:
        return 0, 0
    needs_by_consumer_id = {
        consumer_id: needs.need_of(held, state.cloud.forest, losable.root_ids, state.cloud.wishes)
        for consumer_id, held in held_by_consumer_id.items()
    }
    destinations.begin_plan(losable.root_ids)
    new_places = moves.find(needs_by_consumer_id, destinations)
    return len(new_places), sum(place is None for place in new_places.values())


def _hosts(conn, cloud):
    """Return a Losable for each host; its uuid and name are empty if it has just been deleted."""
    forest = cloud.forest
    names = names_and_ids.of_providers(conn, forest.root_ids)
    return [
        Losable(
            *names.get(root_id, NamedProvider(uuid="", name="")),
            root_ids=frozenset([root_id]),
            is_disabled=cloud.disabled_trait_id in forest.providers[root_id].traits,
        )
        for root_id in forest.root_ids
    ]


def _aggregates(conn, cloud):
    """Return a Losable for each aggregate with hosts.

    Sharing providers in an aggregate serve its hosts, and are not lost.
    """
    aggregates = []
    for uuid, root_ids in db_hosts.ids_by_aggregate(conn).items():
        hosts = frozenset(root_ids) - cloud.forest.sharing_ids
        # A host may have been added after the cloud was read.
        if hosts := hosts & cloud.forest.trees.keys():
            aggregates.append(Losable(uuid, name=None, root_ids=hosts))
    return aggregates


_READ_LOSABLE = {"host": _hosts, "aggregate": _aggregates}
