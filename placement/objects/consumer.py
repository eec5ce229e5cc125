"""Consumers, which take resources, with their owners and types."""

import collections

from oslo_db import exception as db_exc
from oslo_versionedobjects import fields

from placement import constants, exception
from placement.db import consumers as db_consumers
from placement.objects import base
from placement.objects.claim import UNCHECKED


@base.register
class Consumer(base.PlacementObject):
    VERSION = "1.0"

    fields = {
        "uuid": fields.StringField(read_only=True),
        "project_id": fields.StringField(),
        "user_id": fields.StringField(),
        "generation": fields.IntegerField(),
        "consumer_type": fields.StringField(default=constants.UNKNOWN_CONSUMER_TYPE),
    }


def save(conn, claims, names):
    """Create, advance or remove the consumers of `claims`, as their new allocations require.

    A consumer without allocations does not exist. Others that write to these consumers wait
    for the end of the transaction. Their generations must have been checked.
    Raises: a RetryRequest when another writer was faster.
    """
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
        db_consumers.insert(conn, created)
        for owner, seen in advanced.items():
            if not db_consumers.advance(conn, owner, seen):
                raise _changed("a consumer was changed")
    except db_exc.DBDuplicateEntry as error:
        raise _changed("a consumer was created") from error
    except db_exc.DBReferenceError as error:
        raise _changed("a consumer type was removed") from error
    if not db_consumers.delete(conn, removed):
        raise _changed("a consumer was changed")


def _changed(reason):
    """Return the RetryRequest for a faster writer, whose generation the retry will see."""
    return db_exc.RetryRequest(exception.AllocationsChanged(reason=reason))


def check_generations(claims, names):
    """Raises: ConsumerGenerationConflict, for the first claim with another generation."""
    for claim in claims:
        generation = names.consumers.get(claim.consumer_uuid)
        if claim.generation not in (UNCHECKED, generation):
            raise exception.ConsumerGenerationConflict(
                uuid=claim.consumer_uuid,
                expected="null" if generation is None else generation,
                given=claim.generation,
            )


def _seen_generation(claim):
    return None if claim.generation is UNCHECKED else claim.generation


def _owner(claim, names):
    return db_consumers.Owner(
        names.projects[claim.project_id],
        names.users[claim.user_id],
        names.consumer_types.get(claim.consumer_type),
    )
