"""Why no tree has a place for a consumer; pure."""

from collections import Counter

from placement.candidates import constraints
from placement.candidates.kinds.constraint import Host

# What may rule out a host, besides the classes and constraints of the search.
DISABLED = "disabled"
OUT_OF_REACH = "out of reach"


def hosts_by_reason(need, destinations, class_names):
    """Return {a class, a constraint, DISABLED or OUT_OF_REACH: how many hosts it stops}.

    What the plan has placed takes up room.
    """
    query = destinations.query(need)
    groups = constraints.by_group(query)
    counts = Counter(
        _stop(need, root_id, query, groups, destinations, class_names)
        for root_id in destinations.remaining_roots()
    )
    return dict(counts.most_common())


def _stop(need, root_id, query, groups, destinations, class_names):
    """Return what stops one host: the name of a class or constraint, DISABLED or OUT_OF_REACH."""
    if not destinations.trees.is_allowed(need, root_id):
        return OUT_OF_REACH
    root = destinations.forest.providers[root_id]
    if not query.root_forbidden.isdisjoint(root.traits):
        return DISABLED
    host = Host(root, destinations.offered(need, root_id))
    unmet = constraints.unmet(host, groups)
    # If the host meets each constraint alone, it fails to meet all of them together.
    first_unmet = unmet[0] if unmet else constraints.TOGETHER_UNMET
    constraint = first_unmet.constraint
    return constraint.kind.name_of_stop(constraint.value, class_names)
