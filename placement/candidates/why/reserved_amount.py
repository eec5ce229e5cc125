"""Whether the reserved amount alone keeps an amount from fitting."""

from placement.db import inventories as db_inventories


def in_the_way(conn, unmets):
    """Return {(provider_id, Constraint): reserved} of Unmets that only the reserve causes.

    Cost: one query, with at most a row for each Unmet; none if no capacity is missing.
    """
    lacking = {(each.provider_id, each.constraint) for each in unmets if each.why == "capacity"}
    if not lacking:
        return {}
    rows = db_inventories.reserves(
        conn,
        {provider_id for provider_id, _ in lacking},
        {constraint.value[0] for _, constraint in lacking},
    )
    reserved = {}
    for provider_id, constraint in lacking:
        class_id, amount = constraint.value
        row = rows.get((provider_id, class_id))
        if row is not None and amount <= row.free_without_reserve:
            reserved[provider_id, constraint] = row.reserved
    return reserved
