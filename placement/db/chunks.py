"""Collections of any size, split for statements that can hold only a limited number of values.

"Cost: one statement for each chunk" means up to MAX_CONDITIONS values where a function splits by
that, and up to MAX_PARAMETERS otherwise.
"""

# SQLite takes 32,766 parameters in a statement, and some statements take three collections.
MAX_PARAMETERS = 10000
# SQLite nests expressions up to 1,000 deep, and each OR in a chain adds a level. PostgreSQL treats
# a list of pairs as such a chain, and a few thousand pairs overflow its stack.
MAX_CONDITIONS = 100


def chunks(values, size=MAX_PARAMETERS):
    """Yield `values`, in their order, as lists of at most `size`; no list without values."""
    values = list(values)
    for start in range(0, len(values), size):
        yield values[start : start + size]
