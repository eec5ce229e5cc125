"""Inventories: how much of a resource class a provider has, and how it may be taken.

Source: doc/reference/api/inventories.rst.
"""

import dataclasses

from oslo_db import exception as db_exc

from placement import constants, exception
from placement.db import inventories as db_inventories
from placement.db import names_and_ids
from placement.db import resource_classes as db_classes
from placement.db.chunks import chunks
from placement.db.subjects_of_names import Subject
from placement.objects import resource_class, resource_provider
from placement.objects.feed import recording


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """The inventory that a provider will have of one class.

    It is not a versioned object, which would be slow to make: agents send many inventories.
    """

    resource_class: str
    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = constants.MAX_INTEGER
    step_size: int = 1
    allocation_ratio: float = 1.0

    @classmethod
    def from_request(cls, class_name, body):
        """Make an inventory from a validated body: {"total": int, "reserved"?: int, ...}.

        Integers may be written as 10.0, and a ratio as 1.
        """
        given = {name: number(body[name]) for name, number in VALUES.items() if name in body}
        return cls(resource_class=class_name, **given)

    @property
    def capacity(self):
        """(total - reserved) * allocation_ratio, truncated toward zero."""
        return self._capacity_at(self.allocation_ratio)

    def _capacity_at(self, ratio):
        return db_inventories.capacity_at(self.total, self.reserved, ratio)

    def columns(self, conn):
        """Return {column: value} for a row, with the capacity derived from the others."""
        ratio = db_inventories.as_stored(conn, self.allocation_ratio)
        values = {name: getattr(self, name) for name in VALUES}
        return values | {"capacity": self._capacity_at(ratio)}


# {name: type} of the values that a client sets. Each is stored in the column of the same name.
VALUES = {
    field.name: field.type
    for field in dataclasses.fields(Inventory)
    if field.name != "resource_class"
}


def check_capacity(inventory, provider_uuid, may_reserve_all):
    """Raises: InvalidInventoryCapacity when the capacity is 0 (unless that is allowed) or negative.

    Source: doc/explanation/rules.rst, F3.
    """
    if may_reserve_all and inventory.capacity < 0:
        reason = "The reserved value is greater than total."
    elif not may_reserve_all and inventory.capacity <= 0:
        reason = "The reserved value is greater than or equal to total."
    else:
        return
    raise exception.InvalidInventoryCapacity(
        class_name=inventory.resource_class,
        uuid=provider_uuid,
        reason=reason,
        formula=(
            f"(total {inventory.total} - reserved {inventory.reserved}) * allocation_ratio "
            f"{inventory.allocation_ratio}, truncated, is {inventory.capacity}"
        ),
    )


def of_provider(conn, provider_uuid):
    """Return the generation of a provider, and its InventoryRows.

    Raises: ResourceProviderNotFound.
    """
    return resource_provider.get_using(conn, db_inventories.of_provider, provider_uuid)


def get(conn, provider_uuid, class_name):
    """Return the generation of a provider, and its InventoryRow of a class.

    Raises: ResourceProviderNotFound, InventoryNotFound.
    """
    generation, rows = of_provider(conn, provider_uuid)
    for row in rows:
        if row.resource_class == class_name:
            return generation, row
    raise exception.InventoryNotFound(class_name=class_name, wording=f"for {provider_uuid}")


def add(conn, provider, inventory):
    """Give a provider an inventory of a class that it does not have yet.

    Raises: UnknownResourceClass, InventoryExists, ConcurrentUpdate.
    """
    ids = class_ids(conn, [inventory.resource_class])
    provider.advance_generation(conn)
    present = present_if_recorded(conn, provider)
    try:
        db_inventories.insert(
            conn, provider.id, {ids[inventory.resource_class]: inventory.columns(conn)}
        )
    except db_exc.DBDuplicateEntry as error:
        raise exception.InventoryExists(class_name=inventory.resource_class) from error
    _record_with(conn, provider, present, [inventory])


def present_if_recorded(conn, provider):
    """Return the StockedClasses of an advanced provider; [] if changes are not recorded.

    Cost: one statement, or none.
    """
    return db_inventories.stocked(conn, provider.id) if recording.is_on() else []


def record(conn, provider, present, after):
    """Record that a provider had StockedClasses, and now has `after`, {class_name: state}."""
    recording.inventories(conn, provider, recording.stocked_state(present), after)


def _record_with(conn, provider, present, inventories):
    """Record that a provider now has `inventories`, and those of other classes as in `present`."""
    after = recording.stocked_state(present) | recording.given_state(conn, inventories)
    record(conn, provider, present, after)


def _record_without(conn, provider, present, removed):
    """Record that a provider had the StockedClasses `present`, and lost those in `removed`."""
    kept = [row for row in present if row not in removed]
    record(conn, provider, present, recording.stocked_state(kept))


def read_for_replacement(conn, provider_uuid, inventories):
    """Return the ProviderForReplacement for `replace_all`.

    Cost: one statement.
    Raises: ResourceProviderNotFound.
    """
    class_names = [each.resource_class for each in inventories]
    return resource_provider.read_for_replacement(
        conn, provider_uuid, Subject.RESOURCE_CLASSES, class_names
    )


def replace_all(conn, provider, inventories):
    """Give a provider, as `read_for_replacement` returned it, exactly these inventories.

    Raises: UnknownResourceClass, InventoryInUse, ConcurrentUpdate.
    Cost: two statements; one more if the provider gains classes, another if one of these is custom,
        and two more if it loses classes.
    """
    # {class_name: class_id} of the classes that the provider has now, and of those it will have.
    held, wanted = provider.held, provider.wanted
    resource_class.check_known([each.resource_class for each in inventories], wanted)
    # A class of which the provider has an inventory cannot be deleted, so only new ones need this.
    _keep_custom_classes(conn, {name: wanted[name] for name in wanted if name not in held})
    provider.advance_generation(conn)
    present = present_if_recorded(conn, provider)
    merge(conn, provider, inventories, wanted, held_ids=set(held.values()))
    if held.keys() - wanted.keys():
        # Until now, it was not certain how much of these inventories is used.
        stocked = present or db_inventories.stocked(conn, provider.id)
        remove(conn, provider, [row for row in stocked if row.resource_class not in wanted])
    record(conn, provider, present, recording.given_state(conn, inventories))


def merge(conn, provider, inventories, ids, held_ids):
    """Add or replace `inventories`; leave those of other classes as they are.

    `ids` is {class_name: class_id}, for at least the classes of `inventories`; `held_ids` is the
    set of the ids of classes that the provider has.
    """
    columns = {ids[each.resource_class]: each.columns(conn) for each in inventories}
    db_inventories.insert(
        conn, provider.id, {key: columns[key] for key in columns if key not in held_ids}
    )
    db_inventories.update(
        conn, provider.id, {key: columns[key] for key in columns if key in held_ids}
    )


def remove(conn, provider, rows):
    """Remove StockedClasses, which must have been read after the provider's generation advanced.

    Raises: InventoryInUse.
    """
    if in_use := [row.resource_class for row in rows if row.used]:
        raise exception.InventoryInUse(provider.uuid, in_use)
    db_inventories.delete(conn, provider.id, [row.class_id for row in rows])


def replace(conn, provider, inventory):
    """Replace the inventory that a provider has of one class.

    Raises: InventoryClassNotFound, InventoryMissing, ConcurrentUpdate.
    """
    class_name = inventory.resource_class
    ids = names_and_ids.resolve(conn, resource_classes={class_name}).resource_classes
    if class_name not in ids:
        raise exception.InventoryClassNotFound(name=class_name)
    provider.advance_generation(conn)
    present = db_inventories.stocked(conn, provider.id)
    present_ids = {row.resource_class: row.class_id for row in present}
    if class_name not in present_ids:
        raise exception.InventoryMissing(uuid=provider.uuid, class_name=class_name)
    # The class is among those that the provider has, so this is an UPDATE.
    merge(conn, provider, [inventory], present_ids, held_ids=set(present_ids.values()))
    _record_with(conn, provider, present, [inventory])


def delete(conn, provider, class_name):
    """Take the inventory of one class away from a provider.

    Raises: InventoryNotFound, InventoryInUse, ConcurrentUpdate.
    """
    provider.advance_generation(conn)
    present = db_inventories.stocked(conn, provider.id)
    rows = [row for row in present if row.resource_class == class_name]
    if not rows:
        raise exception.InventoryNotFound(class_name=class_name, wording="found for delete")
    remove(conn, provider, rows)
    _record_without(conn, provider, present, removed=rows)


def delete_all(conn, provider):
    """Take all inventories away from a provider.

    Raises: InventoryInUse, ConcurrentUpdate.
    """
    provider.advance_generation(conn)
    present = db_inventories.stocked(conn, provider.id)
    remove(conn, provider, present)
    _record_without(conn, provider, present, removed=present)


def class_ids(conn, class_names):
    """Return {class_name: class_id}, and keep others from deleting the custom classes.

    Raises: UnknownResourceClass, for the first unknown name.
    Cost: one statement for each chunk of names, until a name is unknown, and one more if there are
        custom classes.
    """
    ids = {}
    wanted = dict.fromkeys(class_names)
    for chunk in chunks(wanted):
        ids |= names_and_ids.resolve(conn, resource_classes=set(chunk)).resource_classes
        resource_class.check_known(chunk, ids)
    _keep_custom_classes(conn, ids)
    return ids


def _keep_custom_classes(conn, ids):
    """Keep others from deleting the custom classes among {class_name: class_id}.

    Raises: UnknownResourceClass if one is gone.
    """
    custom = {name: key for name, key in ids.items() if db_classes.is_custom(key)}
    kept = db_classes.prevent_deletion(conn, set(custom.values())) if custom else {}
    # Pairs are compared, so a class that was renamed counts as gone.
    gone = custom.items() - kept.items()
    remaining = dict(ids.items() - gone)
    resource_class.check_known(ids, remaining)
