"""Triggers that MariaDB has read only in part, and how to make it read them again.

MariaDB reads the triggers of a table when it opens the table. If the statement that needs the table
is ended meanwhile, by a timeout or by another node of a Galera cluster, MariaDB keeps the table
open with only part of a trigger. Until the table is closed, every write that fires this trigger is
refused.
"""

import logging

from placement.db.derived_sums import triggers
from placement.db.faults import drivers, outages
from placement.db.feed import foreign_triggers

LOG = logging.getLogger(__name__)

_TABLES = sorted({*triggers.TABLES, *foreign_triggers.FOREIGN_WRITES.tables})
# How long new statements may queue up behind the one that closes their table.
_CLOSE_SECONDS = 1
_SYNTAX_ERROR = 1064
# MariaDB may or may not name the trigger in this message.
_IN_TRIGGER = "has an error in its body"


class Misread(outages.Outage):
    """MariaDB refused a write because of a misread trigger, and undid the transaction."""

    def __init__(self, cause):
        super().__init__(outages.Reason.MISREAD, cause)


def has_caused(error):
    """Return whether a misread trigger caused a SQLAlchemy or oslo.db exception."""
    driver = drivers.error_behind(error)
    return (
        driver is not None and _SYNTAX_ERROR in driver.args and _IN_TRIGGER in str(driver)
    )


def close_tables(conn):
    """Close the tables that have triggers, so that the next statements open them again.

    The tables are closed one at a time, and each only if the transactions that use it end within a
    second. Otherwise its trigger stays misread until the next refused write makes us try again.

    Both rules are for Galera clusters, where a node also applies what other nodes have written. A
    node would leave the cluster if it held one of these tables and waited for another that was
    already closed. And all nodes would come to a halt if a node waited behind this statement, while
    the statement waited for a transaction that the node commits later.
    """
    LOG.warning("MariaDB has read only part of a trigger; its tables are closed to read it again")
    for table in _TABLES:
        # For an InnoDB table this has no other effect, and it needs no privileges beyond those for
        # claims. It does not affect what other nodes have read.
        conn.exec_driver_sql(
            f"SET STATEMENT lock_wait_timeout = {_CLOSE_SECONDS} FOR REPAIR LOCAL TABLE {table}"
        ).all()
