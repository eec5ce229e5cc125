"""When hosts are alike for an explanation, so that only one of them is examined; pure."""

import collections

from placement.candidates import constraints
from placement.db.search.requirements import Amount


def simplifier(query, corrected):
    """Return a function that makes Rooms equal if they are alike for an explanation.

    It is the argument `simplified` of every_tree.batches.

    If a Room can give all amounts of its class in the query at once, only its min_unit and
    step_size count. For any other Room, max_unit and the free amount count as well, because the
    explanation says what is lacking, and which amount would fit. How much of the capacity is used
    never counts.
    corrected: {Constraint: [the same one with a name corrected]}
    """
    # A correction may be an amount of another class, so the Rooms of that class count, too.
    amounts_by_class_id = collections.defaultdict(list)
    corrections = (other for others in corrected.values() for other in others)
    for constraint in [*constraints.of_query(query), *corrections]:
        match constraint.kind.requirement(constraint.value):
            case Amount(class_id, amount):
                amounts_by_class_id[class_id].append(amount)

    def simplified(class_id, room):
        """Return the Room without what makes no difference to the query."""
        amounts = amounts_by_class_id[class_id]
        total = sum(amounts)
        if room.headroom >= total and all(map(room.fits, amounts)):
            return room._replace(capacity=total, used=0, max_unit=total)
        return room._replace(capacity=room.free, used=0)

    return simplified


def unmet_of(unmet, ids, other_ids):
    """Return the Unmets of a host, turned into those of a host like it.

    ids, other_ids: the ids of the providers of the two hosts, in the same order
    """
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
