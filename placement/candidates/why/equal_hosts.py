"""When hosts are alike for an explanation, so that only one of them is examined; pure."""

import collections

from placement.candidates import constraints, rules
from placement.db.search.requirements import Amount


def simplifier(query, corrected):
    """Return the `simplified` of every_tree.batches, under which Rooms that are alike are equal.

    A Room that can serve everything that the query asks of its class, all at once, differs from
    others only in its units. For any other Room, what is free counts, not its capacity.
    `corrected`: see corrections.py.
    """
    amounts = collections.defaultdict(list)
    corrections = (other for others in corrected.values() for other in others)
    for each in [*constraints.of_query(query), *corrections]:
        requirement = each.kind.requirement(each.value)
        if isinstance(requirement, Amount):
            amounts[requirement.class_id].append(requirement.amount)

    def simplified(class_id, room):
        free = room.capacity - room.used
        total = sum(amounts[class_id])
        if rules.headroom(room) >= total and all(
            rules.fits(room, amount) for amount in amounts[class_id]
        ):
            return room._replace(capacity=total, used=0, max_unit=total)
        return room._replace(capacity=free, used=0)

    return simplified


def unmet_of(unmet, ids, other_ids):
    """Return the Unmets of another host that is like one whose providers have these ids."""
    others = dict(zip(ids, other_ids, strict=True))
    return [
        each._replace(
            provider_id=others.get(each.provider_id, each.provider_id),
            serving={
                suffix: tuple(others.get(provider_id, provider_id) for provider_id in provider_ids)
                for suffix, provider_ids in each.serving.items()
            },
        )
        for each in unmet
    ]
