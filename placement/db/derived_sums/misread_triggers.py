"""Triggers that MariaDB has read in part, and how it comes to read them again.

It reads the triggers of a table when it opens the table. If the statement that needs the table is
ended meanwhile, by a timeout or by another node of a Galera cluster, MariaDB keeps the table open
with a part of a trigger, and refuses every write that comes upon it until the table is closed.
"""

import logging

from placement.db.derived_sums import triggers
from placement.db.faults import drivers, outages

LOG = logging.getLogger(__name__)

_SYNTAX_ERROR = 1064
# MariaDB names the trigger, or none.
_IN_TRIGGER = "has an error in its body"


class Misread(outages.Outage):
    """A write was refused, and its transaction is lost."""

    def __init__(self, cause):
        super().__init__(outages.Reason.MISREAD, cause)


def is_behind(error):
    """Is this what an exception of SQLAlchemy or oslo.db stands for?"""
    driver = drivers.error_behind(error)
    return (
        driver is not None and _SYNTAX_ERROR in driver.args and _IN_TRIGGER in str(driver)
    )


def close_tables(conn):
    """Have the tables that have triggers opened anew by those who come next.

    Waits until nobody uses them.
    """
    LOG.warning("MariaDB has read a trigger in part: its tables are closed")
    # This does nothing else to a table of InnoDB, and needs no privilege that claims do not. What
    # other nodes have read is theirs.
    conn.exec_driver_sql(f"REPAIR LOCAL TABLE {', '.join(triggers.TABLES)}").all()
