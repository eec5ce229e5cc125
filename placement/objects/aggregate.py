"""Aggregates: groups of providers, which exist once they have been named.

Source: doc/reference/api/aggregates.rst.
"""

from oslo_db import exception as db_exc

from placement.db import aggregates as db_aggregates
from placement.db import names_and_ids
from placement.db import trees as db_trees
from placement.db.subjects_of_names import Subject
from placement.objects import resource_provider
from placement.objects.feed import recording
from placement.objects.retry_requests import retry


def of_provider(conn, provider_uuid):
    """Return the generation of a provider, and the uuids of its aggregates.

    Raises: ResourceProviderNotFound.
    """
    return resource_provider.get_using(conn, db_aggregates.of_provider, provider_uuid)


def read_for_replacement(conn, provider_uuid, uuids):
    """Return the ProviderForReplacement for `replace`.

    Cost: one statement.
    Raises: ResourceProviderNotFound.
    """
    return resource_provider.read_for_replacement(conn, provider_uuid, Subject.AGGREGATES, uuids)


def replace(conn, provider, uuids, advance_generation):
    """Put a provider, as `read_for_replacement` returned it, into exactly these aggregates.

    The writes of clients that do not know generations wait for each other, but do not advance the
    generation. So the provider's aggregates may have changed since it was read: all those that it
    has now are removed.
    Raises: ConcurrentUpdate.
    """
    # {uuid: id} of the wanted aggregates. Those that do not exist yet are added below.
    aggregate_ids = dict(provider.wanted)
    if missing := set(uuids) - aggregate_ids.keys():
        try:
            aggregate_ids |= names_and_ids.add(conn, Subject.AGGREGATES, missing)
        except db_exc.DBDuplicateEntry as error:
            raise retry() from error
    if advance_generation:
        provider.advance_generation(conn)
    elif provider.id not in _locked_ids(conn, {provider.uuid}):
        # The provider was deleted after it was read.
        raise retry()
    if recording.is_on():
        # Unless the generation was advanced, the aggregates may have changed since they were read.
        held = provider.held if advance_generation else db_aggregates.ids_of(conn, provider.id)
        recording.aggregates(conn, provider, held, aggregate_ids, advance_generation)
    db_aggregates.replace(conn, provider.id, set(aggregate_ids.values()))


def _locked_ids(conn, provider_uuids):
    """Lock providers, and return the ids of those that exist."""
    return {place.id for place in db_trees.lock(conn, provider_uuids).values()}
