"""Who may serve what: one predicate per rule; pure.

Rules that bind several groups (isolate, same_subtree, one provider of a tree) are not here: in
assignment.py they remove options, and so are never tested afterwards.
Source: doc/explanation/rules.rst; each docstring names its rule.
"""


def is_anchor(root, query):
    """R7: root_required applies to the anchor and to no other provider."""
    return query.root_required <= root.traits and query.root_forbidden.isdisjoint(root.traits)


def fits(room, amount):
    """F2: return whether the provider could take this amount if nothing else were asked of it."""
    return (
        room.used + amount <= room.capacity
        and room.min_unit <= amount <= room.max_unit
        and amount % room.step_size == 0
    )


# Why an amount does not fit, from what may change at any moment to what never will.
UNITS = ("step_size", "min_unit", "max_unit")
REASONS = ("capacity", *UNITS, "no_inventory")


def why_not(room, amount):
    """F2: return which of the REASONS keeps an amount from fitting; None if it fits.

    `room` is None where the provider has no inventory of the class.
    """
    if room is None:
        return "no_inventory"
    if fits(room, amount):
        return None
    if amount > room.max_unit:
        return "max_unit"
    if amount < room.min_unit:
        return "min_unit"
    if amount % room.step_size:
        return "step_size"
    return "capacity"


def largest_that_fits(room, most):
    """F2: return the largest amount, at most `most`, that fits; 0 if there is none."""
    amount = min(most, headroom(room))
    amount -= amount % room.step_size
    return amount if amount >= max(1, room.min_unit) else 0


def has_room(provider, class_id, amount):
    """F2: return whether the amount fits into the provider's inventory of the class."""
    room = provider.rooms.get(class_id)
    return room is not None and fits(room, amount)


def headroom(room):
    """R11: the most that all groups together may take; each part has passed `fits`."""
    return min(room.capacity - room.used, room.max_unit)


def may_contribute(provider, root, group):
    """R2, R3, R5: return whether a provider may serve classes of the unsuffixed group.

    The traits that the group requires are met by all its providers together: see `hits_all`. An
    aggregate of the root counts for its whole tree, but not for sharing providers of other trees.
    """
    if group.root_id is not None and not provider.root_id == root.id == group.root_id:
        return False
    for name, keys in group.unwanted:
        if not keys.isdisjoint(getattr(provider, name)):
            return False
    if not group.not_member_of.isdisjoint(root.aggregates):
        return False
    return hits_all(provider.aggregates, group.member_of) or (
        provider.root_id == root.id and hits_all(root.aggregates, group.member_of)
    )


def may_serve_alone(provider, group):
    """R4, R5: return whether one provider meets everything that a granular group asks for."""
    # The search calls this for most providers, and all() would take half as long again.
    for is_met_by, value in group.checks:  # noqa: SIM110
        if not is_met_by(provider, value, group):
            return False
    return True


def asks_for_something(group):
    """R9: no provider serves a group that only forbids."""
    return bool(group.amounts or group.required or group.member_of)


def hits_all(members, sets):
    """Return whether the members (traits or aggregates) hit each set (an AND of ORs)."""
    return not any(map(members.isdisjoint, sets))
