"""Whether hosts can be emptied: a place elsewhere for each consumer there, all at the same time.

Source: doc/how-to/planning.rst.
"""

from typing import NamedTuple

from placement import exception
from placement.candidates.effort import SpentError
from placement.candidates.plans import cloud as clouds
from placement.candidates.plans import moves, needs, stops
from placement.candidates.plans.places import Places
from placement.db import names as db_names
from placement.db.search import holders
from placement.db.search import hosts as db_hosts
from placement.db.search.holders import KnownConsumer
from placement.db.search.hosts import MarkedProvider
from placement.db.subjects import Subject

# For this many consumers without a place, the answer says why.
_MOST_EXPLAINED = 100
# The cost of reading a consumer and finding out what it needs.
_OBJECTS_OF_A_CONSUMER = 8


class Nowhere(NamedTuple):
    """Why a consumer finds no place.

    is_alone  whether it would find no place even if nothing else moved
    hosts     how many other hosts there are
    stops     {a class, a constraint, or one of stops.py: how many of these hosts it stops}
    """

    is_alone: bool
    hosts: int
    stops: dict[str, int]


class Move(NamedTuple):
    """A consumer, and where it goes.

    to           the root of its new tree; None if there is no place
    allocations  everything it holds afterwards: uuid of a provider -> class -> amount; or None
    nowhere      None if there is a place, or if too many consumers have none
    """

    owner: KnownConsumer
    to: MarkedProvider | None
    allocations: dict[str, dict[str, int]] | None
    nowhere: Nowhere | None


class Evacuation(NamedTuple):
    """A plan for emptying hosts, which may lack a place for some consumers.

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

    Cost: two queries for each batch of hosts, two for each batch of consumers, and at most twelve.
    Raises: NoSuchHost, NoSuchAggregate, PlanTooLong.
    """
    named = _hosts(conn, query)
    try:
        cloud = clouds.read(conn, query.keep, query.same_aggregate, effort)
        left_ids = _left(named, cloud.forest)
        held = _held_in(conn, cloud.forest, left_ids, effort)
        places = Places(cloud.forest, cloud.disabled_trait_id, effort)
        places.leave(left_ids)
        wanted = {
            consumer_id: needs.need_of(each, cloud.forest, left_ids, cloud.wishes)
            for consumer_id, each in held.items()
        }
        found = moves.find(wanted, places)
        class_names = _class_names(conn)
        nowhere = _nowhere(found, wanted, places, class_names, effort)
    except SpentError:
        raise exception.PlanTooLong() from None
    return _evacuation(conn, left_ids, found, wanted, nowhere, class_names)


def _hosts(conn, query):
    """Return ({id of a named host}, {id of a host in a named aggregate}).

    Raises: NoSuchHost, NoSuchAggregate.
    """
    hosts = db_hosts.called(conn, query.hosts)
    for host in sorted(query.hosts - hosts.keys()):
        raise exception.NoSuchHost(host=host)
    if not query.aggregates:
        return set(hosts.values()), set()
    members = db_hosts.of_aggregates(conn, query.aggregates)
    for aggregate in sorted(query.aggregates - members.keys()):
        raise exception.NoSuchAggregate(aggregate=aggregate)
    return set(hosts.values()), {each for ids in members.values() for each in ids}


def _left(named, forest):
    """Return the ids of the roots to empty. Sharing providers of an aggregate are not emptied."""
    hosts, members = named
    found = hosts | (members - forest.sharing_ids)
    return frozenset(each for each in found if each in forest.trees)


def _held_in(conn, forest, left_ids, effort):
    """Return {id of a consumer in these trees: what it holds}. Raises: SpentError."""
    provider_ids = [each.id for root_id in left_ids for each in forest.trees[root_id]]
    held = {}
    for each in holders.on(conn, provider_ids):
        effort.add_objects(_OBJECTS_OF_A_CONSUMER)
        held[each.id] = each.held
    return held


def _class_names(conn):
    return {key: name for name, key in db_names.all_of(conn, Subject.RESOURCE_CLASSES).items()}


def _nowhere(found, wanted, places, class_names, effort):
    """Return {id of a consumer without a place: Nowhere}; equal needs are examined once."""
    missing = [key for key, place in found.items() if place is None][:_MOST_EXPLAINED]
    by_need = {}
    for need in {wanted[key] for key in missing}:
        others = places.others()
        effort.add_reasons(len(others) * len(need.parts))
        by_need[need] = Nowhere(
            not places.exists(need), len(others), stops.of_hosts(need, places, class_names)
        )
    return {key: by_need[wanted[key]] for key in missing}


def _evacuation(conn, left_ids, found, wanted, nowhere, class_names):
    owners = holders.owners(conn, found)
    ids = set(left_ids)
    for key, place in found.items():
        if place is not None:
            ids.add(place.root_id)
            ids.update(provider_id for provider_id, _ in place.amounts)
            ids.update(provider_id for provider_id, _ in wanted[key].kept)
    providers = db_hosts.marked(conn, db_names.of_providers(conn, ids))
    return Evacuation(
        sorted((providers[each] for each in left_ids), key=lambda host: host.name),
        [
            Move(
                owners[key],
                None if place is None else providers[place.root_id],
                None
                if place is None
                else _allocations(place, wanted[key], providers, class_names),
                nowhere.get(key),
            )
            for key, place in found.items()
        ],
    )


def _allocations(place, need, providers, class_names):
    """Return everything that a consumer holds after its move: {uuid: {class: amount}}."""
    found = {}
    kept = [
        (provider_id, class_id, amount)
        for provider_id, amounts in need.kept
        for class_id, amount in amounts
    ]
    taken = [(*key, amount) for key, amount in place.amounts.items()]
    for provider_id, class_id, amount in (*kept, *taken):
        amounts = found.setdefault(providers[provider_id].uuid, {})
        name = class_names[class_id]
        amounts[name] = amounts.get(name, 0) + amount
    return found
