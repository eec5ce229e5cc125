"""Statements whose shape depends on the client's query: they have a cache of their own.

A compiled statement for a large query takes a megabyte, and no two of these queries need be alike.
"""

from sqlalchemy import util

# The most shapes whose expressions are kept, and the most compiled statements. (SQLAlchemy lets a
# cache grow by half before it cuts it back.)
MOST = 32

# For `execution_options`.
OPTIONS = {"compiled_cache": util.LRUCache(MOST)}
