"""same_subtree, as a filter on the options of its members; pure.

One of the providers that serve the members of a same_subtree, its *top*, is above all the others.
Any member may be served by the top, so each option may be a top. A provider remains an option only
while some top is compatible with it.
Source: doc/explanation/rules.rst, R10.
"""

from typing import NamedTuple


class Member(NamedTuple):
    """Slots of one same_subtree that have the same options.

    options  the providers that may serve each of the slots; only one if it has been chosen
    count    how many slots
    """

    options: tuple[int, ...]
    count: int


def narrowed(members, ancestors, apart):
    """Return, for each Member, the options that are compatible with some choice of the others.

    ancestors: returns a provider and all its ancestors, bottom up
    apart: whether no two slots may be served by the same provider (isolate)
    A *top* is an option that is above (or is) some option of every other Member. An option remains
    if it is a top, or below one.
    If every Member has only one option to begin with, the same_subtree is met unless some Member
    ends up with none.
    """
    # If slots are apart, a top serves no other slot. So an option does not count as above itself,
    # and is cut off the list of its ancestors, which begins with it.
    above = {
        option: ancestors(option)[1 if apart else 0 :]
        for member in members
        for option in member.options
    }
    # For each Member: the providers above its options; the indexes of the other Members, and its
    # own if it has several slots; and its tops.
    reach = [{place for option in m.options for place in above[option]} for m in members]
    others = [_others(index, members) for index in range(len(members))]
    tops = [
        {top for top in member.options if all(top in reach[other] for other in others[index])}
        for index, member in enumerate(members)
    ]
    return [
        tuple(
            option
            for option in member.options
            if option in tops[index]
            or any(place in tops[other] for other in others[index] for place in above[option])
        )
        for index, member in enumerate(members)
    ]


def _others(index, members):
    """Return the indexes of the other members, and of this one if it has several slots."""
    return [
        other for other, member in enumerate(members) if other != index or member.count > 1
    ]
