"""What claims do to their consumers: they create, advance or remove them."""

import collections
from typing import NamedTuple

from oslo_db import exception as db_exc

from placement import exception
from placement.db import consumers as db_consumers
from placement.objects.claims.claim import UNCHECKED
from placement.objects.feed import recording
from placement.objects.retry_requests import FasterWrite, retry_because


class ConsumersBefore(NamedTuple):
    """The moment of a write, and {uuid: ConsumerState} before it; {} if nothing is recorded."""

    moment: str
    states: dict[str, db_consumers.ConsumerState]


def save(conn, claims, names):
    """Create, advance or remove the consumers of `claims`, as their new allocations require.

    A consumer without allocations does not exist. Others that write to these consumers wait for the
    end of the transaction. The generations in the claims must have been checked. Return the
    ConsumersBefore.
    names: the Names of everything in the claims, with the generations of the consumers
    Raises: a RetryRequest when another writer was faster.
    """
    states = _states(conn, names.consumers.keys())
    # {Owner: uuids}, {Owner: {uuid: generation seen}}, and {uuid: generation seen}.
    created = collections.defaultdict(list)
    advanced = collections.defaultdict(dict)
    removed = {}
    for claim in claims:
        uuid, seen = claim.consumer_uuid, _seen_generation(claim)
        if uuid not in names.consumers:
            if claim.allocations:
                created[_owner(claim, names)].append(uuid)
        elif claim.allocations:
            advanced[_owner(claim, names)][uuid] = seen
        else:
            removed[uuid] = seen
    try:
        moment = db_consumers.insert(conn, created)
        for owner, seen_by_uuid in advanced.items():
            if not db_consumers.advance(conn, owner, seen_by_uuid):
                raise retry_because(FasterWrite.CONSUMER_CHANGED)
    except db_exc.DBDuplicateEntry as error:
        raise retry_because(FasterWrite.CONSUMER_CREATED) from error
    except db_exc.DBReferenceError as error:
        raise retry_because(FasterWrite.TYPE_REMOVED) from error
    if not db_consumers.delete_seen(conn, removed):
        raise retry_because(FasterWrite.CONSUMER_CHANGED)
    return ConsumersBefore(moment, states)


def _states(conn, uuids):
    """Return {uuid: ConsumerState}, and lock the consumers; {} if changes are not recorded.

    Raises: a RetryRequest when one of them does not exist any more.
    """
    if not recording.is_on():
        return {}
    states = db_consumers.lock(conn, uuids)
    if states.keys() != uuids:
        raise retry_because(FasterWrite.CONSUMER_CHANGED)
    return states


def check_generations(claims, names):
    """Refuse claims that were made for another generation of their consumer (C2).

    Raises: ConsumerGenerationConflict, for the first of them.
    Source: doc/explanation/generations.rst; doc/explanation/rules.rst, C2.
    """
    for claim in claims:
        generation = names.consumers.get(claim.consumer_uuid)
        if claim.generation not in (UNCHECKED, generation):
            raise exception.ConsumerGenerationConflict(
                uuid=claim.consumer_uuid,
                expected="null" if generation is None else generation,
                given=claim.generation,
            )


def _seen_generation(claim):
    """Return the generation that a claim expects its consumer to have; None for any."""
    return None if claim.generation is UNCHECKED else claim.generation


def _owner(claim, names):
    """Return the Owner that a claim names, as keys."""
    return db_consumers.Owner(
        names.projects[claim.project_id],
        names.users[claim.user_id],
        names.consumer_types.get(claim.consumer_type),
    )
