"""Kinds of transactions.

The kind decides how a transaction begins, whether its statements are repeated when they find
nothing, and which messages to the server are saved.
"""

import enum

# The execution option that holds the kind of a connection's transactions.
_OPTION = "placement_transaction"


class TransactionKind(enum.StrEnum):
    """What a connection is borrowed for; SINGLE is one statement that reads."""

    READ = "read"
    SINGLE = "single"
    WRITE = "write"
    # For databases whose sessions a proxy shares: the transaction first sets up its session.
    SHARED_WRITE = "write in a shared session"


def engine_for(engine, kind):
    """Return an engine, with the same pool, whose connections are for transactions of a kind."""
    return engine.execution_options(**{_OPTION: kind})


def kind_of(conn):
    """Return the kind of a connection's transactions; None if it is not from an engine_for()."""
    return conn.get_execution_options().get(_OPTION)
