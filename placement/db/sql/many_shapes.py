"""Statements whose shape clients choose: what SQLAlchemy compiles of them has a cache of its own.

A compiled statement of a large query takes a megabyte, and hardly two such queries may look alike.
"""

from sqlalchemy import util

# The most shapes of which expressions are kept, and compiled statements (half as many more until
# the cache is cut back).
MOST = 32

# For `execution_options`.
OPTIONS = {"compiled_cache": util.LRUCache(MOST)}
