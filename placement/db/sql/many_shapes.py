"""Statements whose shape depends on the client's query: they have a cache of their own.

For a large query, a compiled statement takes a megabyte, and each client may send a different
query.
"""

from sqlalchemy import util

# The most shapes whose expressions are kept, and the most compiled statements. (SQLAlchemy lets a
# cache grow to half as much again before it cuts the cache back.)
MOST = 32

# For `execution_options`: a cache apart from that of the engine.
OWN_CACHE = {"compiled_cache": util.LRUCache(MOST)}
