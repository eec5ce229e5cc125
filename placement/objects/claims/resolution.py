"""The keys of all names in claims, either remembered or read from the database."""

import contextlib

from placement import constants, exception
from placement.db import names_and_ids
from placement.db.subjects_of_names import Subject
from placement.objects.claims import owners_and_types
from placement.objects.claims.claim import UNCHECKED
from placement.objects.retry_requests import FasterWrite, retry_because


def presumed_names(database, claims):
    """Return Presumed names of everything in `claims` without asking the database, or None.

    A write that uses these names has to prove that they are still right: see db.remembered_names.
    The result is None if a name other than a provider's was not seen before, or if a claim does not
    say whether its consumer exists.
    """
    if not all(map(_can_be_presumed, claims)):
        return None
    consumers = {
        claim.consumer_uuid: claim.generation for claim in claims if claim.generation is not None
    }
    return database.caches.names.presume(consumers, _mentioned_in(claims))


def find_providers(database, conn, claims, presumed):
    """Add to Presumed names those providers of `claims` that the process has not seen before.

    Raises: a RetryRequest when one does not exist.
    Cost: one query, or none.
    """
    uuids = {provider_uuid for claim in claims for provider_uuid in claim.allocations}
    database.caches.names.find_providers(conn, presumed, uuids)
    if uuids - presumed.providers.keys():
        raise retry_because(FasterWrite.PROVIDER_DELETED)


def _can_be_presumed(claim):
    """Whether the statements that store a claim also check its generation."""
    if claim.generation is None:
        return bool(claim.allocations)
    return claim.generation is not UNCHECKED and claim.generation <= constants.MAX_INTEGER


@contextlib.contextmanager
def writer_for(database, claims):
    """Context manager: yield a connection like that of database.writer, and the Names in `claims`.

    New owners are added in a transaction of their own, so that no claim waits for another claim
    with the same new owner. The Names include these owners. They do not include providers, classes
    or consumers that do not exist, nor the new owner of an empty claim.
    Raises: RequestTooLarge.
    Cost: one query; with new owners, two, and what db.names_and_ids.add costs for each of their
        Subjects.
    """
    _check_size(claims)
    mentioned = _mentioned_in(claims)
    with database.writer() as conn:
        names = names_and_ids.resolve(conn, **mentioned)
        missing = owners_and_types.missing_from(names, mentioned)
        if not missing:
            database.caches.names.remember(names)
            yield conn, names
            return
    with database.writer() as conn:
        owners_and_types.add(conn, missing)
    with database.writer() as conn:
        names = names_and_ids.resolve(conn, **mentioned)
        # MySQL has added no row for a name that it considers equal to a stored one.
        owners_and_types.find_alike(conn, owners_and_types.missing_from(names, mentioned), names)
        database.caches.names.remember(names)
        yield conn, names


def _check_size(claims):
    """Raises: RequestTooLarge."""
    amounts = sum(len(each) for claim in claims for each in claim.allocations.values())
    if amounts > constants.MOST_IN_A_REQUEST:
        raise exception.RequestTooLarge(
            most=constants.MOST_IN_A_REQUEST, what="amounts", found=amounts
        )


def _mentioned_in(claims):
    """Return {Subject: names} of what claims mention.

    A consumer without allocations does not exist, so no owner is needed for it.
    """
    taking = [claim for claim in claims if claim.allocations]
    allocations = [each for claim in taking for each in claim.allocations.items()]
    class_names = {class_name for _, amounts in allocations for class_name in amounts}
    return {
        Subject.PROVIDERS: {provider_uuid for provider_uuid, _ in allocations},
        Subject.RESOURCE_CLASSES: class_names,
        Subject.CONSUMERS: {claim.consumer_uuid for claim in claims},
        Subject.PROJECTS: {claim.project_id for claim in taking},
        Subject.USERS: {claim.user_id for claim in taking},
        Subject.CONSUMER_TYPES: {claim.consumer_type for claim in taking} - {None},
    }
