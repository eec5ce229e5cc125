"""Why an allocation write was refused: the first reason in the order of the request. Pure.

Source: doc/explanation/rules.rst, W3 and W4.
"""

from placement import exception


def explain(wanted, held, rooms, providers, class_names):
    """Raise the exception that says what is wrong; return if nothing is wrong any more.

    `wanted` and `held` are sequences of AllocationRows: everything that the consumers of the
    request are to hold, and what they held. `rooms` is {(provider_id, class_id): Room},
    `providers` {provider_id: (uuid, name)}, and `class_names` {class_id: name}.
    Raises: InventoryLacking, UnitsViolated, CapacityExceeded.
    """
    _check_every_provider_has_something(wanted, rooms, providers, class_names)
    used = {key: room.used for key, room in rooms.items()}
    for row in held:
        if (row.provider_id, row.class_id) in used:
            used[row.provider_id, row.class_id] -= row.amount
    for row in wanted:
        uuid, name = providers[row.provider_id]
        where = {"uuid": uuid, "name": name, "class_name": class_names[row.class_id]}
        key = row.provider_id, row.class_id
        room = rooms.get(key)
        if room is None:
            raise exception.InventoryLacking(**where, consumer_uuid=row.consumer_uuid)
        if room.broken_unit(row.amount) is not None:
            raise exception.UnitsViolated(
                **where,
                consumer_uuid=row.consumer_uuid,
                needed=row.amount,
                min_unit=room.min_unit,
                max_unit=room.max_unit,
                step_size=room.step_size,
            )
        used[key] += row.amount
        exceeds_capacity = used[key] > room.capacity
        # On an overcommitted provider, usage may shrink or stay the same, but not grow (W4).
        grows = used[key] > room.used
        if exceeds_capacity and grows:
            raise exception.CapacityExceeded(
                **where,
                consumer_uuid=row.consumer_uuid,
                needed=row.amount,
                used=used[key] - row.amount,
                capacity=room.capacity,
            )


def _check_every_provider_has_something(wanted, rooms, providers, class_names):
    """Raises: InventoryLacking, naming all providers that have none of the requested classes."""
    classes = dict.fromkeys(row.class_id for row in wanted)
    provided = {provider_id for provider_id, _ in rooms}
    refused = [row for row in wanted if row.provider_id not in provided]
    if refused:
        empty = [providers[key] for key in dict.fromkeys(row.provider_id for row in refused)]
        uuids, names = map(", ".join, zip(*empty, strict=True))
        raise exception.InventoryLacking(
            uuid=uuids,
            name=names,
            class_name=", ".join(class_names[key] for key in classes),
            consumer_uuid=", ".join(dict.fromkeys(row.consumer_uuid for row in refused)),
        )
