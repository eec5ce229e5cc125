"""Conditions that several statements share, most of them on a table of providers."""

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import functions

from placement import constants
from placement.db import tables

_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


def is_one_of(column, keys):
    """The condition that an integer column is one of `keys`; there may be any number of them.

    The keys are written into the statement as integers, not as parameters.
    """
    return column.in_(sa.bindparam(None, sorted(keys), expanding=True, literal_execute=True))


def is_one_of_given(column, name):
    """The condition that an integer column is one of the keys in the list parameter `name`.

    The keys are written into the statement as integers when it is executed.
    """
    return column.in_(sa.bindparam(name, expanding=True, literal_execute=True))


def are_near(column, ids):
    """The condition that an integer column is one of some sorted ids, or one of a few between them.

    If the ids are close together, the database reads a range, which is much faster.
    """
    if ids[-1] - ids[0] < 2 * len(ids):
        return column.between(ids[0], ids[-1])
    return is_one_of(column, ids)


class Exact(functions.FunctionElement):
    """Text that is compared exactly; by default, MySQL ignores case."""

    type = sa.String()
    inherit_cache = True


@compiles(Exact)
def _as_it_is(element, compiler, **options):
    return compiler.process(*element.clauses, **options)


@compiles(Exact, "mysql")
@compiles(Exact, "mariadb")
def _in_bytes(element, compiler, **options):
    return compiler.process(sa.cast(*element.clauses, sa.BINARY), **options)


def row_exists(*conditions):
    """The condition that some row meets `conditions`, in tables not in the enclosing query.

    The condition is a scalar subquery, which is evaluated for each row of the enclosing query. A
    database may turn EXISTS and IN into a join. It would then join all rows, even with a limit, and
    in the wrong order if statistics are old; with hundreds of such joins, planning takes minutes.
    PostgreSQL considers IS NOT NULL likely, and so does not sort rows that a limit cuts off. It
    considers IS NULL unlikely: negate the condition with fails().
    """
    one = sa.literal(1, literal_execute=True)
    return sa.select(one).where(*conditions).limit(one).scalar_subquery().is_not(None)


def fails(condition):
    """The negation of a condition that is never NULL. PostgreSQL considers this negation likely.

    It assumes that an integer has 200 different values, so that few are equal to 1.
    """
    return sa.cast(condition, sa.Integer) != sa.literal(1, literal_execute=True)


def is_root(provider):
    """Whether a provider is a root. Source: doc/explanation/model.rst."""
    return provider.c.parent_provider_id.is_(None)


def has_room(class_id, amount, provider):
    """Whether a provider could serve `amount` more units of a class.

    This checks capacity, what is used, min_unit, max_unit and step_size, as Room.fits does.
    Source: doc/explanation/rules.rst, F2.
    """
    # A query may ask for more than the columns can hold.
    amount = min(amount, constants.TOO_LARGE)
    return row_exists(
        _inventories.c.resource_provider_id == provider.c.id,
        _inventories.c.resource_class_id == class_id,
        _inventories.c.used + amount <= _inventories.c.capacity,
        _inventories.c.min_unit <= amount,
        _inventories.c.max_unit >= amount,
        sa.literal(amount, sa.BigInteger) % _inventories.c.step_size == 0,
    )


def has_trait(trait_ids, provider):
    """Whether a provider has any of the traits."""
    return row_exists(
        _traits.c.resource_provider_id == provider.c.id, is_one_of(_traits.c.trait_id, trait_ids)
    )


def is_member(aggregate_ids, provider):
    """Whether a provider is in any of the aggregates."""
    return row_exists(
        _members.c.resource_provider_id == provider.c.id,
        is_one_of(_members.c.aggregate_id, aggregate_ids),
    )
