"""Which providers may serve what: one predicate per rule; pure.

What one provider meets on its own is in kinds/. Whether an amount fits (F2) is in
db/provider_room.py.
Nothing here tests the rules that bind several groups: R8 (isolate), R10 (same_subtree), R11 (sums)
and A4 (one provider per tree). They remove options in solver/assignment.py, so nothing has to test
them afterwards.
Source: doc/explanation/rules.rst; each docstring names its rule.
"""


def is_anchor(root, query):
    """R7: root_required applies to the anchor and to no other provider."""
    return query.root_required <= root.traits and query.root_forbidden.isdisjoint(root.traits)


def may_contribute(provider, root, group):
    """R2, R3, R5: return whether a provider may serve classes of the unsuffixed group.

    All providers of the group together have to meet the traits that it requires: see `hits_all`. An
    aggregate of the root counts for its whole tree, but not for sharing providers of other trees.
    """
    if group.root_id is not None and not provider.root_id == root.id == group.root_id:
        return False
    # `field` is a field of Provider, such as "traits"; `keys` are what the group forbids in it.
    for field, keys in group.unwanted:
        if not keys.isdisjoint(getattr(provider, field)):
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
    """R9: whether a group asks for something: no provider serves one that only forbids."""
    return bool(group.amounts or group.required or group.member_of)


def hits_all(members, sets):
    """Return whether the members (traits or aggregates) hit every set (an AND of ORs)."""
    return not any(map(members.isdisjoint, sets))


def binding_subtrees(same_subtrees):
    """R10: return the same_subtrees that name several groups, each once.

    A same_subtree that names a single group is always met.
    """
    return [each for each in dict.fromkeys(same_subtrees) if len(each) > 1]
