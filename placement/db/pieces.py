"""Collections of any size, in statements that can only hold so much."""

import sqlalchemy as sa

# SQLite takes 32,766 parameters in a statement, and some statements have three collections.
PARAMETERS = 10000
# SQLite nests expressions up to 1,000 deep, and a chain of ORs is as deep as it is long. To
# PostgreSQL pairs in a list are such a chain, and some thousands of them too deep for its stack.
CONDITIONS = 100


def pieces(values, size=PARAMETERS):
    """Yield `values`, in their order, as lists of at most `size`; none if there are no values."""
    values = list(values)
    for start in range(0, len(values), size):
        yield values[start : start + size]


def is_one_of(column, keys):
    """The condition that an integer column is one of `keys`, which may be any number of keys.

    They are written into the statement as the integers they are, not as parameters.
    """
    return column.in_(sa.bindparam(None, sorted(keys), expanding=True, literal_execute=True))
