"""Repairing rows that releases before Stein wrote."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.schema import data_migrations
from placement.db.schema.data_migrations import (
    create_incomplete_consumers,
    set_root_provider_ids,
)
from tests import databases

PROVIDERS = [{"uuid": f"p{number}", "name": f"host {number}"} for number in range(5)]
ALLOCATIONS = [
    {
        "resource_provider_id": 1, "consumer_id": consumer, "resource_class_id": class_id,
        "used": 1,
    }
    for consumer in ("a", "b", "c")
    for class_id in (0, 1)
]


@databases.on_each_database
class DataMigrations:
    """If a test fails, hosts and instances of an old cloud stay hidden, or cannot be adopted."""

    def test_providers_without_a_root_become_roots(self):
        providers = tables.resource_providers
        with self.database.writer() as conn:
            conn.execute(sa.insert(providers), PROVIDERS)
            root = conn.scalar(sa.select(sa.func.min(providers.c.id)))
            conn.execute(
                sa.insert(providers).values(uuid="child", name="child", root_provider_id=root)
            )
        self.assertEqual([2, 2, 1, 0], self.repaired(set_root_provider_ids, limit=2))
        with self.database.reader() as conn:
            self.assertEqual(0, data_migrations.count_providers_without_root(conn))
            roots = sa.select(providers.c.uuid).where(
                providers.c.root_provider_id == providers.c.id
            )
            self.assertEqual(
                {provider["uuid"] for provider in PROVIDERS}, set(conn.scalars(roots))
            )

    def test_consumers_with_allocations_get_a_record(self):
        consumers, projects, users = tables.consumers, tables.projects, tables.users
        with self.database.writer() as conn:
            conn.execute(sa.insert(tables.allocations), ALLOCATIONS)
            conn.execute(sa.insert(consumers).values(uuid="b", project_id=7, user_id=8))
        self.assertEqual(
            [1, 1, 0],
            self.repaired(
                create_incomplete_consumers, limit=1, project="no project", user="no user"
            ),
        )
        with self.database.reader() as conn:
            self.assertEqual(0, data_migrations.count_consumers_without_record(conn))
            repaired = conn.execute(
                sa.select(
                    consumers.c.uuid,
                    projects.c.external_id,
                    users.c.external_id,
                    consumers.c.generation,
                    consumers.c.consumer_type_id,
                )
                .join(projects, projects.c.id == consumers.c.project_id)
                .join(users, users.c.id == consumers.c.user_id)
                .order_by(consumers.c.uuid)
            ).all()
            self.assertEqual(
                [("a", "no project", "no user", 0, None), ("c", "no project", "no user", 0, None)],
                [tuple(row) for row in repaired],
            )

    def test_without_leftovers_a_repair_adds_nothing(self):
        self.assertEqual(
            [0],
            self.repaired(
                create_incomplete_consumers, limit=50, project="no project", user="no user"
            ),
        )
        with self.database.reader() as conn:
            self.assertEqual(
                0, conn.scalar(sa.select(sa.func.count()).select_from(tables.projects))
            )

    def test_a_repair_does_not_read_rows_of_earlier_batches_again(self):
        with self.database.writer() as conn:
            conn.execute(sa.insert(tables.resource_providers), PROVIDERS)
            conn.execute(sa.insert(tables.allocations), ALLOCATIONS)
            first, *rest = set_root_provider_ids(conn, 2)
            self.assertEqual([], set_root_provider_ids(conn, 50, first + 100))
            self.assertEqual(3, len(set_root_provider_ids(conn, 50, *rest)))
            owner = {"project": "no project", "user": "no user"}
            self.assertEqual(["c"], create_incomplete_consumers(conn, 50, "b", **owner))
            self.assertEqual(["a", "b"], create_incomplete_consumers(conn, 50, **owner))

    def repaired(self, repair, **options):
        """Return how many rows a repair found in each of its transactions, until it found none."""
        counts = []
        while not counts or counts[-1]:
            with self.database.writer() as conn:
                counts.append(len(repair(conn, **options)))
        return counts
