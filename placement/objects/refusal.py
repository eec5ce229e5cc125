"""Why an allocation write was refused: the first reason, in the order of the request. Pure.

Source: doc/rules.rst, W3 and W4.
"""

from placement import exception


def explain(wanted, held, rooms, names):
    """Raise the exception that says what is wrong; return if nothing is wrong any more.

    `wanted` and `held` are sequences of AllocationRows: everything that the consumers of the
    request are to hold, and what they held. `rooms` is {(provider_id, class_id): Room}.
    Raises: InventoryLacking, UnitsViolated, CapacityExceeded.
    """
    provider_uuids = {key: uuid for uuid, key in names.providers.items()}
    class_names = {key: name for name, key in names.resource_classes.items()}
    _check_every_provider_has_something(wanted, rooms, provider_uuids, class_names)
    used = {key: room.used for key, room in rooms.items()}
    for row in held:
        if (row.provider_id, row.class_id) in used:
            used[row.provider_id, row.class_id] -= row.amount
    for row in wanted:
        where = {"uuid": provider_uuids[row.provider_id], "class_name": class_names[row.class_id]}
        key = row.provider_id, row.class_id
        room = rooms.get(key)
        if room is None:
            raise exception.InventoryLacking(**where)
        if not room.min_unit <= row.amount <= room.max_unit or row.amount % room.step_size:
            raise exception.UnitsViolated(
                **where,
                consumer_uuid=row.consumer_uuid,
                needed=row.amount,
                min_unit=room.min_unit,
                max_unit=room.max_unit,
                step_size=room.step_size,
            )
        used[key] += row.amount
        if room.capacity < used[key] > room.used:
            raise exception.CapacityExceeded(
                **where,
                consumer_uuid=row.consumer_uuid,
                needed=row.amount,
                used=used[key] - row.amount,
                capacity=room.capacity,
            )


def _check_every_provider_has_something(wanted, rooms, provider_uuids, class_names):
    """Raises: InventoryLacking, for all providers without any of the classes in the request."""
    classes = dict.fromkeys(row.class_id for row in wanted)
    provided = {provider_id for provider_id, _ in rooms}
    empty = [
        provider_uuids[provider_id]
        for provider_id in dict.fromkeys(row.provider_id for row in wanted)
        if provider_id not in provided
    ]
    if empty:
        raise exception.InventoryLacking(
            uuid=", ".join(empty), class_name=", ".join(class_names[key] for key in classes)
        )
