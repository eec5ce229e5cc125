"""Kinds that bind the groups of a query to each other; kind.py says what each method returns.

Source: doc/explanation/rules.rst, R8 and R10.
"""

import dataclasses

from placement.candidates import rules
from placement.candidates.kinds.kind import Kind
from placement.constants import POLICY_ISOLATE, POLICY_NONE


def needs_policy(suffixes):
    """Q1: groups with these suffixes need a group_policy if several of them are granular."""
    return sum(suffix != "" for suffix in suffixes) > 1


class GroupPolicy(Kind):
    """R8: different providers serve different granular groups."""

    depends_on_rest = True
    # A query that needs a policy (Q1) is refused without one, so it cannot just be removed.
    instead = POLICY_NONE

    def values(self, query):
        is_binding = query.isolate and needs_policy(group.suffix for group in query.groups)
        return [POLICY_ISOLATE] if is_binding else []

    def with_values(self, query, values):
        return dataclasses.replace(query, isolate=POLICY_ISOLATE in values)


class SameSubtree(Kind):
    """R10: groups in one subtree. The value of a constraint is a set of suffixes."""

    depends_on_rest = True

    def values(self, query):
        return rules.binding_subtrees(query.same_subtrees)

    def named_values(self, query):
        # Even a single suffix counts: it may be dropped along with its group.
        return query.same_subtrees

    def text(self, value):
        return ",".join(sorted(value))

    def with_values(self, query, values):
        return dataclasses.replace(query, same_subtrees=tuple(values))

    def without(self, query, value):
        """Return the query without the same_subtree that names just these suffixes.

        A group without resources that no other same_subtree names is dropped, too.
        """
        same_subtrees = tuple(each for each in query.same_subtrees if each != value)
        named = frozenset().union(*same_subtrees)
        groups = [group for group in query.groups if group.amounts or group.suffix in named]
        return self.with_values(query, same_subtrees).of_groups(groups)


class Together(Kind):
    """All constraints together, for hosts that only the search rules out; not part of a query."""

    is_about_room = True
    depends_on_rest = True
    # The host has everything, so it is closer than one that lacks anything.
    shortage = 0
