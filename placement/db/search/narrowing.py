"""Bounds: when to narrow down the roots of a large cloud, and how many to read at once; no SQL.

doc/explanation/search.rst lists the ways to narrow down the roots, in the order in which they are
tried, and gives the reason for each bound.
"""

# The first batch has as many roots as there are candidates wanted, and this many more.
SPARE_ROOTS = 10
# If at most MOST_AT_FIRST_SIGHT roots are wanted, WINDOW times as many are looked at first.
MOST_AT_FIRST_SIGHT = 100
WINDOW = 4
# How many batches the first trees are divided into if most of these trees give several candidates.
PARTS = 2
# Whole sets of provider ids are read for queries of at most MOST_REQUIREMENTS, if the largest id is
# at most LARGEST_ID_ALWAYS_READ. If many candidates are wanted, the largest id may be IDS_FOR_EACH
# times their number, but never more than LARGEST_ID_EVER_READ.
MOST_REQUIREMENTS = 20
IDS_FOR_EACH = 30
LARGEST_ID_ALWAYS_READ = 20_000
LARGEST_ID_EVER_READ = 50_000
# A condition is rare if at most MOST_RARE providers, or roots, meet it, and there are at least
# FEWEST_ROOTS roots, and at least SHARE roots for each provider, or root, that meets it.
MOST_RARE = 2500
SHARE = 2
FEWEST_ROOTS = 500
# To find a rare condition, providers are counted for at most this many requirements of a query.
MOST_COUNTED = 20


def sizes(has_granular, wanted):
    """Return the number of roots in each batch, except for the last, which has all that are left.

    has_granular: whether the query has a granular group
    wanted: how many candidates are wanted; None for all
    """
    if wanted is None:
        return []
    # With granular groups, a tree often has several candidates, so fewer trees may do.
    parts = PARTS if has_granular and wanted > MOST_AT_FIRST_SIGHT else 1
    return [wanted // parts + SPARE_ROOTS] * parts


def first_window(size, at_random):
    """Return how many roots to look at before anything else; None to look at none first.

    More are looked at than are wanted, because not every root serves the query.
    size: how many roots are wanted; None for all
    at_random: whether the roots are to be chosen at random
    """
    if size is None or size > MOST_AT_FIRST_SIGHT or at_random:
        return None
    return WINDOW * size


def largest_id_in_sets(wanted, needed_count, excluded_count):
    """Return the largest provider id up to which sets are worth reading; None if they never are.

    A set has the ids of all providers that meet a Requirement.
    wanted: how many candidates are wanted; None for all
    needed_count: how many Requirements of the query must be met
    excluded_count: how many of them must not be met
    """
    # candidates/feasible.py starts from the providers that meet a needed Requirement.
    if not needed_count or needed_count + excluded_count > MOST_REQUIREMENTS:
        return None
    if wanted is None:
        return LARGEST_ID_EVER_READ
    return min(LARGEST_ID_EVER_READ, max(LARGEST_ID_ALWAYS_READ, IDS_FOR_EACH * wanted))


def most_counted_roots(seen):
    """Return how many roots are counted at most, to find out whether a condition is rare.

    One root more than have been looked at shows that there are others.
    seen: how many roots have been looked at already
    """
    return max(seen, SHARE * MOST_RARE) + 1


def is_rare(providers, roots):
    """Whether so few providers meet a condition that it is worth looking at them first."""
    return providers <= MOST_RARE and roots >= max(FEWEST_ROOTS, SHARE * providers)
