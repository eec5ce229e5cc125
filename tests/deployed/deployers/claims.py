"""Claims that wait: a test locks the row that they need for as long as it wants."""

import contextlib
import functools
import time
import uuid

import sqlalchemy as sa

from placement.db import engine, tables
from tests.deployed import cloud

PATIENCE_SECONDS = 60
_WAITING = sa.text(
    "SELECT COUNT(*) FROM information_schema.innodb_trx"
    " JOIN information_schema.processlist ON id = trx_mysql_thread_id"
    " WHERE trx_state = 'LOCK WAIT' AND db = DATABASE()"
)


class OneHost:
    """A host with room for one instance, registered with the service at `url`.

    `consumer` is the uuid of that instance.
    """

    def __init__(self, url, database_url):
        self._client = cloud.Client(url)
        self._database_url = database_url
        self._host = str(uuid.uuid4())
        self._client.register(self._host, {"VCPU": 1})
        self.consumer = str(uuid.uuid4())

    def claim(self):
        """Return the status of the answer. Raises: requests.ConnectionError."""
        return self._client.claim(self.consumer, self._host, VCPU=1)

    @contextlib.contextmanager
    def locked(self):
        """Make every claim wait until the end of the block.

        Yield a function that returns when a claim waits.
        """
        kind = engine.TransactionKind.WRITE
        with self._connected() as database, database.connection(kind) as conn:
            conn.execute(
                sa.update(tables.resource_providers)
                .where(tables.resource_providers.c.uuid == self._host)
                .values(updated_at=None)
            )
            yield functools.partial(self._wait, database)
            conn.rollback()

    @staticmethod
    def _wait(database):
        """Raises: TimeoutError."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            with database.reader() as conn:
                if conn.scalar(_WAITING):
                    return
            time.sleep(0.1)
        raise TimeoutError("no claim waits")

    def used(self):
        """Return (what is allocated to the consumer, what the inventory counts)."""
        allocations, inventories = tables.allocations, tables.inventories
        with self._connected() as database, database.reader() as conn:
            provider_id = conn.scalar(
                sa.select(tables.resource_providers.c.id).where(
                    tables.resource_providers.c.uuid == self._host
                )
            )
            allocated = conn.scalar(
                sa.select(sa.func.coalesce(sa.func.sum(allocations.c.used), 0)).where(
                    allocations.c.consumer_id == self.consumer
                )
            )
            counted = conn.scalar(
                sa.select(inventories.c.used).where(
                    inventories.c.resource_provider_id == provider_id
                )
            )
        return int(allocated), counted

    @contextlib.contextmanager
    def _connected(self):
        database = engine.connect(self._database_url)
        try:
            yield database
        finally:
            database.engine.dispose()
