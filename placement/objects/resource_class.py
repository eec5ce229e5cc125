"""Resource classes: the kinds of resources that providers have and consumers take.

Source: doc/reference/api/resource-classes.rst.
"""

from oslo_db import exception as db_exc
from oslo_versionedobjects import fields

from placement import exception
from placement.db import resource_classes as db_classes
from placement.objects import base
from placement.objects.feed import recording
from placement.objects.retry_requests import retry

list_all = db_classes.list_all


@base.register
class ResourceClass(base.PlacementObject):
    VERSION = "1.0"

    fields = {
        "id": fields.IntegerField(read_only=True),
        "name": fields.StringField(read_only=True),
    }

    @property
    def is_custom(self):
        return db_classes.is_custom(self.id)


def get(conn, name):
    """Raises: ResourceClassNotFound."""
    row = db_classes.find(conn, name)
    if row is None:
        raise exception.ResourceClassNotFound(name=name)
    return ResourceClass.from_row(row)


def check_known(names, known):
    """Raises: UnknownResourceClass, for the first of `names` that is not in `known`."""
    for name in names:
        if name not in known:
            raise exception.UnknownResourceClass(name=name)


def create(conn, name):
    """Add a custom class.

    Raises: ResourceClassExists.
    """
    if not ensure(conn, name):
        raise exception.ResourceClassExists(name=name)


def ensure(conn, name):
    """Add a custom class if there is none of this name. Return whether it is new.

    Raises: RetryRequest.
    """
    if db_classes.find(conn, name) is not None:
        return False
    try:
        db_classes.insert(conn, name)
    except db_exc.DBDuplicateEntry as error:
        # Another writer took the name or the id: the next attempt sees which of the two.
        raise retry() from error
    recording.resource_class(conn, before=None, after=name)
    return True


def rename(conn, name, new_name):
    """Give a custom class another name; its inventories and allocations follow.

    A class that already has the name is left alone, and keeps the time of its last change.
    Raises: ResourceClassNotFound, StandardResourceClass, ResourceClassNameTaken.
    """
    resource_class = get(conn, name)
    if not resource_class.is_custom:
        raise exception.StandardResourceClass(verb="update", name=name)
    if new_name == name:
        return resource_class
    try:
        is_there = db_classes.rename(conn, resource_class.id, name, new_name)
    except db_exc.DBDuplicateEntry as error:
        raise exception.ResourceClassNameTaken(name=new_name) from error
    if not is_there:
        # Another request has renamed or deleted it since it was read.
        raise retry()
    recording.resource_class(conn, before=name, after=new_name)
    return get(conn, new_name)


def delete(conn, name):
    """Remove a custom class that no provider has an inventory of.

    Raises: ResourceClassNotFound, StandardResourceClass, ResourceClassInUse.
    """
    resource_class = get(conn, name)
    if not resource_class.is_custom:
        raise exception.StandardResourceClass(verb="delete", name=name)
    if not db_classes.lock(conn, resource_class.id, name):
        # It has been renamed or deleted since it was read. Another class may have its id now.
        raise retry()
    if db_classes.has_inventory(conn, resource_class.id):
        raise exception.ResourceClassInUse(name=name)
    db_classes.delete(conn, resource_class.id)
    recording.resource_class(conn, before=name, after=None)
