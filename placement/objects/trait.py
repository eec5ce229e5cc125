"""Traits: properties of providers, with names that are standard or custom.

Source: doc/reference/api/traits.rst.
"""

import os_traits
from oslo_db import exception as db_exc
from oslo_versionedobjects import fields

from placement import exception
from placement.db import traits as db_traits
from placement.db.subjects_of_names import Subject
from placement.objects import base, resource_provider
from placement.objects.feed import recording
from placement.objects.retry_requests import retry

list_matching = db_traits.list_matching


@base.register
class Trait(base.PlacementObject):
    VERSION = "1.0"

    fields = {
        "id": fields.IntegerField(read_only=True),
        "name": fields.StringField(read_only=True),
    }

    @property
    def is_custom(self):
        return os_traits.is_custom(self.name)


def get(conn, name):
    """Raises: TraitNotFound."""
    row = db_traits.find(conn, name)
    if row is None:
        raise exception.TraitNotFound(name=name)
    return Trait.from_row(row)


def of_provider(conn, provider_uuid):
    """Return the TraitsOfProvider.

    Raises: ResourceProviderNotFound.
    """
    return resource_provider.get_using(conn, db_traits.of_provider, provider_uuid)


def ensure(conn, name):
    """Add a custom trait if there is none of this name. Return (Trait, whether it is new).

    Raises: RetryRequest.
    """
    row = db_traits.find(conn, name)
    if row is not None:
        return Trait.from_row(row), False
    try:
        db_traits.insert(conn, name)
    except db_exc.DBDuplicateEntry as error:
        # Another writer was faster: the next attempt finds the trait.
        raise retry() from error
    recording.trait(conn, before=None, after=name)
    return get(conn, name), True


def delete(conn, name):
    """Raises: TraitNotFound, StandardTrait, TraitInUse."""
    trait = get(conn, name)
    if not trait.is_custom:
        raise exception.StandardTrait(name=name)
    if db_traits.is_on_a_provider(conn, trait.id):
        raise exception.TraitInUse(name=name)
    try:
        db_traits.delete(conn, trait.id)
    except db_exc.DBReferenceError as error:
        raise exception.TraitInUse(name=name) from error
    recording.trait(conn, before=name, after=None)


def read_for_replacement(conn, provider_uuid, names):
    """Return the ProviderForReplacement for `replace`.

    Cost: one statement.
    Raises: ResourceProviderNotFound.
    """
    return resource_provider.read_for_replacement(conn, provider_uuid, Subject.TRAITS, names)


def replace(conn, provider, names):
    """Give a provider, as `read_for_replacement` returned it, exactly these traits.

    Its generation advances only if its traits change.
    Raises: UnknownTraitsInBody, ConcurrentUpdate.
    """
    if unknown := set(names) - provider.wanted.keys():
        raise exception.UnknownTraitsInBody(unknown)
    if provider.wanted == provider.held:
        return
    held_ids, wanted_ids = set(provider.held.values()), set(provider.wanted.values())
    provider.advance_generation(conn)
    db_traits.detach(conn, provider.id, held_ids - wanted_ids)
    try:
        db_traits.attach(conn, provider.id, wanted_ids - held_ids)
    except db_exc.DBReferenceError as error:
        # Another writer has deleted one of the traits.
        raise retry() from error
    recording.traits(conn, provider, provider.held, provider.wanted)
