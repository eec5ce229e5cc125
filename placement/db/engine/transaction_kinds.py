"""Kinds of transactions: how each begins, which results are confirmed, which messages are saved."""

import enum

# The execution option that holds the kind of a connection's transactions.
_OPTION = "placement_transaction"


class TransactionKind(enum.StrEnum):
    """What a connection is borrowed for; SINGLE is one statement that reads."""

    READ = "read"
    SINGLE = "single"
    WRITE = "write"
    # If a proxy shares the sessions of the database, each such transaction sets up its own.
    SHARED_WRITE = "write in a shared session"


def engine_for(engine, kind):
    """Return an engine, with the same pool, whose connections are for transactions of a kind."""
    return engine.execution_options(**{_OPTION: kind})


def kind_of(conn):
    """Return the kind of a connection's transactions; None if it is from another engine."""
    return conn.get_execution_options().get(_OPTION)
