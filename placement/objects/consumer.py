"""Consumers: who takes resources, for whom, and as what."""

import dataclasses
from collections.abc import Mapping

from oslo_db import exception as db_exc
from oslo_versionedobjects import fields

from placement import exception
from placement.db import consumers as db_consumers
from placement.db import names as db_names
from placement.objects import base

# The generation given by clients that do not know that consumers have one.
UNCHECKED = object()
# The type of consumers that were never given one, as it is shown.
UNKNOWN_TYPE = "unknown"


@base.register
class Consumer(base.PlacementObject):
    VERSION = "1.0"

    fields = {
        "uuid": fields.StringField(read_only=True),
        "project_id": fields.StringField(),
        "user_id": fields.StringField(),
        "generation": fields.IntegerField(),
        "consumer_type": fields.StringField(default=UNKNOWN_TYPE),
    }


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerClaim:
    """All that a consumer shall have from now on: {provider_uuid: {class_name: amount}}.

    `generation` is what the client thinks it is: None for a consumer that does not exist
    yet, UNCHECKED if it says nothing. A `consumer_type` of None leaves the type alone.
    """

    consumer_uuid: str
    project_id: str
    user_id: str
    consumer_type: str | None
    generation: object
    allocations: Mapping[str, Mapping[str, int]]


def lock(conn, claims):
    """Return {uuid: ConsumerRow} of the claims' consumers that exist, kept from others.

    Raises: ConsumerGenerationConflict, for the first claim that is mistaken.
    """
    known = db_consumers.lock(conn, {claim.consumer_uuid for claim in claims})
    for claim in claims:
        row = known.get(claim.consumer_uuid)
        actual = row.generation if row else None
        if claim.generation is not UNCHECKED and claim.generation != actual:
            raise exception.ConsumerGenerationConflict(
                expected="null" if row is None else actual, given=claim.generation
            )
    return known


def save(conn, claims, known, names):
    """Create, advance or remove the consumers of `claims`, as their new allocations ask for.

    A consumer without allocations does not exist.
    """
    owners = {claim.consumer_uuid: _owner(claim, known, names) for claim in claims}
    taking = {claim.consumer_uuid for claim in claims if claim.allocations}
    try:
        db_consumers.insert(conn, {uuid: owners[uuid] for uuid in taking - known.keys()})
    except db_exc.DBDuplicateEntry as error:
        # Created by another writer since we looked: look again, and see its generation.
        raise db_exc.RetryRequest(
            exception.AllocationsChanged(reason="a consumer was created")
        ) from error
    db_consumers.advance(
        conn, {row.id: owners[uuid] for uuid, row in known.items() if uuid in taking}
    )
    db_consumers.delete(conn, [row.id for uuid, row in known.items() if uuid not in taking])


def _owner(claim, known, names):
    if claim.consumer_type is not None:
        type_id = names.consumer_types[claim.consumer_type]
    elif claim.consumer_uuid in known:
        type_id = known[claim.consumer_uuid].consumer_type_id
    else:
        type_id = None
    return db_consumers.Owner(names.projects[claim.project_id], names.users[claim.user_id], type_id)


def with_owners(conn, claims, names):
    """Return `names` with the claims' projects, users and types, adding those never seen."""
    wanted = {
        "projects": {claim.project_id for claim in claims},
        "users": {claim.user_id for claim in claims},
        "consumer_types": {claim.consumer_type for claim in claims} - {None},
    }
    for kind, external_ids in wanted.items():
        known = getattr(names, kind)
        if missing := external_ids - known.keys():
            try:
                names = names._replace(**{kind: known | db_names.add(conn, kind, missing)})
            except db_exc.DBDuplicateEntry as error:
                raise db_exc.RetryRequest(
                    exception.AllocationsChanged(reason=f"{kind} were added")
                ) from error
    return names
