"""Which trees may have candidates for a query, as conditions on their roots.

Every root with candidates meets them, and so do some roots where the search then finds none: the
conditions judge single providers, and the search (candidates/) their combinations.
"""

import functools
import itertools
import random
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.search import who_meets
from placement.db.sql import many_shapes, prepared
from placement.db.sql.conditions import fails, is_one_of, is_root, row_exists
from placement.db.sql.prepared import ONE, ZERO

_providers = tables.resource_providers
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates
_root = _providers.alias("root")
_member = _providers.alias("member")
_shared = _providers.alias("shared")
_of_member = _members.alias("of_member")
_of_shared = _members.alias("of_shared")


class SharingProvider(NamedTuple):
    id: int
    root_id: int


class Span(NamedTuple):
    """Roots with ids after `after`, up to and including `up_to`; None is up to the last one."""

    after: int
    up_to: int | None

    def has(self, root_id):
        """Whether a root is in this Span."""
        return self.after < root_id and (self.up_to is None or root_id <= self.up_to)


EVERYWHERE = Span(0, None)


_sharing_query = (
    sa.select(_providers.c.id, _providers.c.root_provider_id)
    .join(_traits, _traits.c.resource_provider_id == _providers.c.id)
    .where(_traits.c.trait_id == sa.bindparam("trait_id"))
    .order_by(_providers.c.root_provider_id, _providers.c.id)
)


def sharing_providers(conn, sharing_trait_id):
    """Return a SharingProvider for each provider with the sharing trait, tree by tree.

    Cost: one query.
    """
    rows = conn.execute(_sharing_query, {"trait_id": sharing_trait_id})
    return [SharingProvider(*row) for row in rows]


def any_one(conn, provider_ids):
    """Return the id of a random root, all equally likely whatever their ids; 0 if there is none.

    Ids are drawn between the lowest and the highest one, and the first that belongs to a root is
    the answer. ProviderIds remembers the bounds of the last call, and the same query checks them.
    Cost: one query, by the primary key; a second one if the range has changed. If less than one
    id in 20 is a root's, sometimes two more, which count the roots.
    """
    found = None
    while found is None:
        ends = provider_ids.ends
        drawn = _draw(*ends)
        rows = _drawn_query().execute(conn, prepared.values(zip(drawn), "drawn")).all()
        [true_ends] = [(low or 0, high or 0) for is_range, low, high in rows if is_range]
        provider_ids.ends = true_ends
        if true_ends == ends:
            found = {root_id for is_range, root_id, _ in rows if not is_range}
    return next((each for each in drawn if each in found), None) or _any_counted(conn)


def _draw(lowest, highest):
    """Return _DRAWN ids drawn from a range, each position equally random."""
    if highest - lowest < _DRAWN:
        ids = range(lowest, highest + 1)
        return (random.sample(ids, len(ids)) * _DRAWN)[:_DRAWN]
    return [random.randint(lowest, highest) for _ in range(_DRAWN)]


# If one id in 20 is a root's, one answer in 170 needs more queries.
_DRAWN = 100
_is_root = is_root(_providers)


@prepared.for_each_shape
def _drawn_query():
    drawn = [each for (each,) in prepared.numbered(_DRAWN, "drawn")]
    id_column = _providers.c.id
    return sa.union_all(
        sa.select(ZERO, id_column, id_column).where(_is_root, id_column.in_(drawn)),
        sa.select(ONE, sa.func.min(id_column), sa.func.max(id_column)),
    )


def _any_counted(conn):
    count = conn.scalar(_count_query)
    return conn.scalar(_nth_query, {"n": random.randrange(count)}) if count else 0


_count_query = sa.select(sa.func.count()).select_from(_providers).where(_is_root)
_nth_query = (
    sa.select(_providers.c.id)
    .where(_is_root)
    .order_by(_providers.c.id)
    .limit(1)
    .offset(sa.bindparam("n"))
)


def batch(conditions=(), span=EVERYWHERE, size=None, window=None, at_random=False):
    """Return a Select of the ids of roots of a Span that meet the conditions: at most `size`.

    window: how many roots are evaluated; None for all
    at_random: choose any of them, not those with the lowest ids
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
    return query.with_hint(provider, *tables.BY_ID)


def among(root_ids):
    """The condition that a root is one of the given ids."""
    return is_one_of(_root.c.id, root_ids)


def not_among(root_ids):
    """The condition that a root is not one of the given ids."""
    return sa.not_(is_one_of(_root.c.id, root_ids))


@functools.lru_cache(many_shapes.MOST)
def conditions_for(query, sharing_ids):
    """Return a tuple of conditions on roots for a ResolvedQuery; `sharing_ids` is a frozenset.

    Groups that ask for the same share one condition. The result is cached: clients repeat their
    queries, and building the conditions takes longer than sending them.
    """
    by_wish = {}
    for group in query.groups:
        if not group.is_granular:
            by_wish[None] = list(_unsuffixed(group, sharing_ids))
        elif group.wish not in by_wish:
            by_wish[group.wish] = [_offers(sharing_ids, functools.partial(_serves_alone, group))]
    return (*itertools.chain.from_iterable(by_wish.values()), *_of_root(query))


def _unsuffixed(group, sharing_ids):
    """Yield the conditions of the unsuffixed group."""
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
    """Yield the conditions on the root alone."""
    for requirement in query.required_of_root:
        yield who_meets.condition(requirement, _root)
    for requirement in query.excluded_of_root:
        yield fails(who_meets.condition(requirement, _root))


def _offers(sharing_ids, condition_on):
    """The condition that a provider of a tree, or a sharing one that it can use, meets a condition.

    `condition_on` makes that condition for a table of providers. A sharing provider can be used by
    the trees that have a member in one of its aggregates.
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
    """Whether a provider could serve the whole of a granular group."""
    required = [*group.taken, *group.required_besides]
    met = (who_meets.condition(requirement, provider) for requirement in required)
    return sa.and_(_is_allowed(group, provider), *met)


def _is_allowed(group, provider):
    """Whether a provider has what a group requires of each, and nothing that the group forbids."""
    met = (who_meets.condition(each, provider) for each in group.required_of_each)
    excluded = (fails(who_meets.condition(each, provider)) for each in group.excluded)
    return sa.and_(sa.true(), *met, *excluded)
