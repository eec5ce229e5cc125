"""Connections, transactions, and trying again after conflicts with other writers.

Whoever has a database to work with has it from `connect`. What is taken from here is what the
names below say; the modules are this room's own.
"""

from placement.db.engine.connecting import connect
from placement.db.engine.database import Database
from placement.db.engine.retries import (
    can_be_repeated,
    is_conflict,
    is_denied,
    retry_on_conflict,
)

__all__ = [
    "Database",
    "can_be_repeated",
    "connect",
    "is_conflict",
    "is_denied",
    "retry_on_conflict",
]
