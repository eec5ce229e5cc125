"""Whether hosts can be emptied: a place elsewhere for each consumer there, all at the same time.

Source: doc/how-to/planning.rst.
"""

from typing import NamedTuple

from placement import exception
from placement.candidates.effort import SpentError
from placement.candidates.plans import cloud as clouds
from placement.candidates.plans import moves, needs, why_no_place
from placement.candidates.plans.destinations import Destinations
from placement.db import names_and_ids
from placement.db.search import holders
from placement.db.search import hosts as db_hosts
from placement.db.search.holders import KnownConsumer
from placement.db.search.hosts import MarkedProvider
from placement.db.subjects_of_names import Subject

# For up to this many consumers without a place, the answer says why there is none.
MOST_EXPLAINED = 100
# The cost of reading a consumer and finding out what it needs.
_OBJECTS_OF_A_CONSUMER = 8


class NoPlace(NamedTuple):
    """Why a consumer finds no place.

    is_alone    whether it would find no place even if nothing else moved
    host_count  how many other hosts there are
    stops       {a class, a constraint, or a reason from why_no_place.py: how many hosts it stops}
    """

    is_alone: bool
    host_count: int
    stops: dict[str, int]


class Move(NamedTuple):
    """A consumer, and where it goes.

    to           the root of its new tree; None if there is no place
    allocations  everything it holds afterwards: uuid of a provider -> class -> amount; None
                 if there is no place
    nowhere      the NoPlace; None if there is a place, or if too many consumers have none
    """

    owner: KnownConsumer
    to: MarkedProvider | None
    allocations: dict[str, dict[str, int]] | None
    nowhere: NoPlace | None


class Evacuation(NamedTuple):
    """A plan for emptying hosts; it may lack a place for some consumers.

    hosts the hosts that are emptied
    moves the Moves of all consumers there, the largest first
    """

    hosts: list[MarkedProvider]
    moves: list[Move]

    @property
    def is_possible(self):
        return not self.without_place

    @property
    def without_place(self):
        """How many consumers find no place."""
        return sum(move.to is None for move in self.moves)


def plan(conn, query, effort):
    """Return the Evacuation for an EvacuationQuery.

    Cost: two queries for each batch of hosts, two for each batch of consumers, and at most twelve
    more.
    Raises: NoSuchHost, NoSuchAggregate, PlanTooLong.
    """
    host_ids, member_ids = _hosts(conn, query)
    try:
        cloud = clouds.read(conn, query.keep, query.same_aggregate, effort)
        left_ids = _left(host_ids, member_ids, cloud.forest)
        held = _held_in(conn, cloud.forest, left_ids, effort)
        destinations = Destinations(cloud.forest, cloud.disabled_trait_id, effort)
        destinations.begin_plan(left_ids)
        needs_by_consumer_id = {
            consumer_id: needs.need_of(amounts, cloud.forest, left_ids, cloud.wishes)
            for consumer_id, amounts in held.items()
        }
        new_places = moves.find(needs_by_consumer_id, destinations)
        class_names = _class_names(conn)
        nowhere = _nowhere(new_places, needs_by_consumer_id, destinations, class_names, effort)
    except SpentError:
        raise exception.PlanTooLong() from None
    return _evacuation(conn, left_ids, new_places, needs_by_consumer_id, nowhere, class_names)


def _hosts(conn, query):
    """Return two sets of ids: the named hosts, and the hosts in named aggregates.

    Raises: NoSuchHost, NoSuchAggregate, for the first that does not exist.
    """
    # {the uuid or name that was given: id} of those that exist.
    hosts = db_hosts.find_ids(conn, query.hosts)
    for host in sorted(query.hosts - hosts.keys()):
        raise exception.NoSuchHost(host=host)
    if not query.aggregates:
        return set(hosts.values()), set()
    members = db_hosts.ids_in_aggregates(conn, query.aggregates)
    for aggregate in sorted(query.aggregates - members.keys()):
        raise exception.NoSuchAggregate(aggregate=aggregate)
    return set(hosts.values()), {host_id for ids in members.values() for host_id in ids}


def _left(hosts, members, forest):
    """Return the ids of the roots to empty. Sharing providers of an aggregate are not emptied."""
    to_empty = hosts | (members - forest.sharing_ids)
    # A host may have been deleted before the forest was read.
    return frozenset(host_id for host_id in to_empty if host_id in forest.trees)


def _held_in(conn, forest, left_ids, effort):
    """Return {id of a consumer in these trees: its HeldOnProviders, there and elsewhere}.

    Raises: SpentError.
    """
    provider_ids = [each.id for root_id in left_ids for each in forest.trees[root_id]]
    held = {}
    for holder in holders.on_providers(conn, provider_ids):
        effort.add_objects(_OBJECTS_OF_A_CONSUMER)
        held[holder.id] = holder.held
    return held


def _class_names(conn):
    """Return {class_id: name}."""
    return {key: name for name, key in names_and_ids.all_of(conn, Subject.RESOURCE_CLASSES).items()}


def _nowhere(new_places, needs_by_consumer_id, destinations, class_names, effort):
    """Return {id of a consumer without a place: NoPlace}; equal needs are examined once.

    new_places: {id of a consumer: NewPlace or None}
    """
    placeless = [key for key, place in new_places.items() if place is None]
    explained = placeless[:MOST_EXPLAINED]
    nowhere_by_need = {}
    for need in {needs_by_consumer_id[key] for key in explained}:
        others = destinations.remaining_roots()
        effort.add_reasons(len(others) * len(need.parts))
        nowhere_by_need[need] = NoPlace(
            is_alone=not destinations.fits_alone(need),
            host_count=len(others),
            stops=why_no_place.hosts_by_reason(need, destinations, class_names),
        )
    return {key: nowhere_by_need[needs_by_consumer_id[key]] for key in explained}


def _evacuation(conn, left_ids, new_places, needs_by_consumer_id, nowhere, class_names):
    """Return the Evacuation, with names in place of the ids in the dicts.

    new_places: {consumer_id: NewPlace or None}; nowhere: {consumer_id: NoPlace}
    """
    owners = holders.owners(conn, new_places)
    provider_ids = set(left_ids)
    for consumer_id, place in new_places.items():
        if place is not None:
            provider_ids.add(place.root_id)
            provider_ids.update(provider_id for provider_id, _ in place.amounts)
            kept = needs_by_consumer_id[consumer_id].kept
            provider_ids.update(provider_id for provider_id, _ in kept)
    providers = db_hosts.mark_disabled(conn, names_and_ids.of_providers(conn, provider_ids))
    moves_there = []
    for consumer_id, place in new_places.items():
        to = allocations = None
        if place is not None:
            to = providers[place.root_id]
            need = needs_by_consumer_id[consumer_id]
            allocations = _allocations(place, need, providers, class_names)
        owner = owners[consumer_id]
        moves_there.append(Move(owner, to, allocations, nowhere.get(consumer_id)))
    hosts = sorted((providers[root_id] for root_id in left_ids), key=lambda host: host.name)
    return Evacuation(hosts, moves_there)


def _allocations(place, need, providers, class_names):
    """Return everything that a consumer holds after its move: {uuid: {class: amount}}.

    It takes what it needs at its NewPlace, and keeps what it has on providers it need not leave.
    """
    held = {}
    kept = [
        (each.provider_id, class_id, amount)
        for each in need.kept
        for class_id, amount in each.amounts
    ]
    taken = [(*key, amount) for key, amount in place.amounts.items()]
    for provider_id, class_id, amount in (*kept, *taken):
        amounts = held.setdefault(providers[provider_id].uuid, {})
        name = class_names[class_id]
        amounts[name] = amounts.get(name, 0) + amount
    return held
