"""Which trees may have candidates for a query, as conditions on their roots.

Every root with candidates meets the conditions. So do some roots without candidates: the conditions
are about single providers, and only the search (candidates/) combines providers.
"""

import functools
import itertools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.search import who_meets
from placement.db.sql import many_shapes
from placement.db.sql.conditions import fails, is_one_of, is_root, row_exists

_providers = tables.resource_providers
_members = tables.resource_provider_aggregates
_root = _providers.alias("root")
_member = _providers.alias("member")
_shared = _providers.alias("shared")
_of_member = _members.alias("of_member")
_of_shared = _members.alias("of_shared")


class Span(NamedTuple):
    """Roots with ids above `after`, up to and including `up_to`; None means up to the last one."""

    after: int
    up_to: int | None

    def has(self, root_id):
        """Whether a root is in this Span."""
        return self.after < root_id and (self.up_to is None or root_id <= self.up_to)


EVERYWHERE = Span(after=0, up_to=None)


def batch(conditions=(), span=EVERYWHERE, size=None, window=None, at_random=False):
    """Return a Select of the ids of a Span's roots that meet the conditions.

    size: the most roots to select; None for all
    window: how many roots of the Span, from its beginning, are evaluated; None for all
    at_random: whether to select roots at random rather than those with the lowest ids
    """
    if window is None:
        query = in_span(span, _root).where(*conditions)
    else:
        next_roots = in_span(span).order_by(_providers.c.id).limit(window)
        looked_at = next_roots.subquery("looked_at")
        query = sa.select(_root.c.id).join(looked_at, looked_at.c.id == _root.c.id)
        query = query.where(*conditions)
    if size is None:
        return query
    return query.order_by(sa.func.random() if at_random else _root.c.id).limit(size)


def in_span(span, provider=_providers):
    """Select the ids of the roots of a Span; `provider` is the table of providers, or an alias."""
    query = sa.select(provider.c.id).where(is_root(provider), provider.c.id > span.after)
    if span.up_to is not None:
        query = query.where(provider.c.id <= span.up_to)
    # Without the hint, MariaDB might begin with the first of all roots.
    return query.with_hint(provider, *tables.PRIMARY_KEY_HINT)


def among(root_ids):
    """The condition that a root is one of the given ids."""
    return is_one_of(_root.c.id, root_ids)


def not_among(root_ids):
    """The condition that a root is not one of the given ids."""
    return sa.not_(is_one_of(_root.c.id, root_ids))


@functools.lru_cache(many_shapes.MOST)
def conditions_for(query, sharing_ids):
    """Return a tuple of conditions on roots for a ResolvedQuery; `sharing_ids` is a frozenset.

    The result is cached: clients repeat their queries, and building the conditions takes longer
    than sending them.
    """
    # Granular groups that ask for the same things have the same `wish`, and share one condition.
    by_wish = {}
    for group in query.groups:
        if not group.is_granular:
            # There is only one unsuffixed group.
            by_wish[None] = list(_unsuffixed(group, sharing_ids))
        elif group.wish not in by_wish:
            by_wish[group.wish] = [_offers(sharing_ids, functools.partial(_serves_alone, group))]
    return (*itertools.chain.from_iterable(by_wish.values()), *_of_root(query))


def _unsuffixed(group, sharing_ids):
    """Yield the conditions of the unsuffixed group; `sharing_ids` is a frozenset.

    A different provider may serve each Amount in `group.taken`, and meet each Requirement in
    `group.required_besides`.
    """
    for requirement in group.required_of_root:
        yield who_meets.condition(requirement, _root)
    # Most hosts have room for most claims, so traits and aggregates rule hosts out sooner.
    for requirement in group.required_besides:
        yield _offers(sharing_ids, functools.partial(who_meets.condition, requirement))
    for requirement in group.excluded_of_root:
        yield fails(who_meets.condition(requirement, _root))
    for amount in group.taken:
        yield _offers(sharing_ids, functools.partial(_serves_one, group, amount))


def _of_root(query):
    """Yield the conditions that a ResolvedQuery sets on the root alone."""
    for requirement in query.required_of_root:
        yield who_meets.condition(requirement, _root)
    for requirement in query.excluded_of_root:
        yield fails(who_meets.condition(requirement, _root))


def _offers(sharing_ids, condition_on):
    """The condition that a provider of the tree, or one that shares with it, meets `condition_on`.

    The trees that can use a sharing provider have a member in one of its aggregates.
    condition_on: (a table of providers) -> a condition
    """
    own = row_exists(_member.c.root_provider_id == _root.c.id, condition_on(_member))
    if not sharing_ids:
        return own
    return own | row_exists(
        _member.c.root_provider_id == _root.c.id,
        _of_member.c.resource_provider_id == _member.c.id,
        _of_shared.c.aggregate_id == _of_member.c.aggregate_id,
        _of_shared.c.resource_provider_id == _shared.c.id,
        is_one_of(_shared.c.id, sharing_ids),
        condition_on(_shared),
    )


def _serves_one(group, amount, provider):
    """Whether a provider could serve one Amount of the unsuffixed group."""
    return sa.and_(who_meets.condition(amount, provider), _is_allowed(group, provider))


def _serves_alone(group, provider):
    """Whether a provider could serve a whole granular group: its Amounts, and all it requires."""
    required = [*group.taken, *group.required_besides]
    met = (who_meets.condition(requirement, provider) for requirement in required)
    return sa.and_(_is_allowed(group, provider), *met)


def _is_allowed(group, provider):
    """Whether a provider has all that a group requires of each provider, and nothing it forbids."""
    met = (who_meets.condition(each, provider) for each in group.required_of_each)
    excluded = (fails(who_meets.condition(each, provider)) for each in group.excluded)
    return sa.and_(sa.true(), *met, *excluded)
