"""Collections of any size, split for statements that can hold only a limited number of values.

In "Cost: one statement for each chunk", a chunk has at most MAX_PARAMETERS values, or at most
MAX_CONDITIONS if the function passes that size.
"""

# SQLite takes 32,766 parameters in a statement, and some statements take three collections.
MAX_PARAMETERS = 10000
# SQLite nests expressions up to 1,000 deep, and each OR in a chain adds a level. PostgreSQL treats
# a list of pairs as such a chain, and a few thousand pairs overflow its stack.
MAX_CONDITIONS = 100


def chunks(values, size=MAX_PARAMETERS):
    """Yield lists of at most `size` of the values, in their order; no list if there are none."""
    values = list(values)
    for start in range(0, len(values), size):
        yield values[start : start + size]
