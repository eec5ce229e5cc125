"""Connections, transactions, and retries after conflicts with other writers.

`connect` returns the database to work with. Outside of db/, import only the names below, and the
modules connection_marks, health and timeouts.

Called by db/records, db/schema, conf/, deploy.py, handler.py, middleware/ and the commands.
"""

from placement.db.engine.connecting import UnusableReplica, connect
from placement.db.engine.database import Database
from placement.db.engine.retries import (
    can_be_repeated,
    is_conflict,
    retry_on_conflict,
    retry_while_unreachable,
)
from placement.db.engine.transaction_kinds import TransactionKind

__all__ = [
    "Database",
    "TransactionKind",
    "UnusableReplica",
    "can_be_repeated",
    "connect",
    "is_conflict",
    "retry_on_conflict",
    "retry_while_unreachable",
]
