"""Statements whose shape clients choose: their compiled forms have a cache of their own.

A compiled statement of a large query takes a megabyte, and no two such queries need be alike.
"""

from sqlalchemy import util

# The most shapes whose expressions are kept, and the most compiled statements. (SQLAlchemy lets a
# cache grow by half before it cuts it back.)
MOST = 32

# For `execution_options`.
OPTIONS = {"compiled_cache": util.LRUCache(MOST)}
