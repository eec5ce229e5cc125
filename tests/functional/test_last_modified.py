"""When a provider last changed, as caches and clients see it."""

import datetime

import sqlalchemy as sa

from placement.db import tables
from tests import databases, fixtures

HOST = "10000000-0000-0000-0000-000000000001"
CONSUMER = "20000000-0000-0000-0000-000000000001"
INVENTORIES = f"/resource_providers/{HOST}/inventories"


@databases.on_each_database
class LastModified:
    """If a test fails, clients fetch again what has not changed, or keep what has."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        self.ask("POST", "/resource_providers", {"name": "host", "uuid": HOST})
        self.replace_inventories(0)
        # A database may keep whole seconds, and all of this happens within one.
        long_ago = datetime.datetime(2024, 5, 1, 12)
        with self.service.database.writer() as conn:
            conn.execute(sa.update(tables.inventories).values(updated_at=long_ago))

    def ask(self, method, path, body=None):
        options = {"json": body, "content_type": "application/json"} if body is not None else {}
        answer = self.service.ask(method, path, "latest", **options)
        self.assertIn(answer.status_int, (200, 204), answer.text)
        return answer

    def replace_inventories(self, generation):
        body = {
            "resource_provider_generation": generation,
            "inventories": {"VCPU": {"total": 8}},
        }
        self.ask("PUT", INVENTORIES, body)

    def claim(self, amount, generation):
        body = {
            "allocations": {HOST: {"resources": {"VCPU": amount}}} if amount else {},
            "project_id": "project",
            "user_id": "user",
            "consumer_generation": generation,
            "consumer_type": "INSTANCE",
        }
        self.ask("PUT", f"/allocations/{CONSUMER}", body)

    def inventories_last_modified(self):
        return self.ask("GET", INVENTORIES).headers["Last-Modified"]

    def test_claims_do_not_change_last_modified_of_inventories(self):
        for amount, generation in ((2, None), (5, 1), (0, 2), (1, None)):
            self.claim(amount, generation)
            self.assertEqual("Wed, 01 May 2024 12:00:00 GMT", self.inventories_last_modified())
        self.ask("DELETE", f"/allocations/{CONSUMER}")
        self.assertEqual("Wed, 01 May 2024 12:00:00 GMT", self.inventories_last_modified())

    def test_new_inventories_change_last_modified(self):
        self.replace_inventories(1)
        self.assertNotIn("2024", self.inventories_last_modified())

    def test_a_trait_shows_when_it_was_created(self):
        path = "/traits/CUSTOM_GOLD"
        self.service.ask("PUT", path, "latest")
        with self.service.database.writer() as conn:
            changes = {"created_at": datetime.datetime(2024, 5, 1, 12)}
            conn.execute(sa.update(tables.traits).values(changes))
        created = "Wed, 01 May 2024 12:00:00 GMT"
        self.assertEqual(created, self.ask("GET", path).headers["Last-Modified"])
        self.assertEqual(created, self.ask("PUT", path).headers["Last-Modified"])

    def test_renaming_a_class_to_its_own_name_does_not_change_its_last_modified(self):
        path = "/resource_classes/CUSTOM_GOLD"
        self.service.ask("PUT", path, "latest")
        long_ago = datetime.datetime(2024, 5, 1, 12)
        with self.service.database.writer() as conn:
            changes = {"created_at": long_ago, "updated_at": long_ago}
            conn.execute(sa.update(tables.resource_classes).values(changes))

        def rename(path, name):
            options = {"json": {"name": name}, "content_type": "application/json"}
            self.assertEqual(200, self.service.ask("PUT", path, "1.6", **options).status_int)
            return self.ask("GET", f"/resource_classes/{name}").headers["Last-Modified"]

        self.assertEqual("Wed, 01 May 2024 12:00:00 GMT", rename(path, "CUSTOM_GOLD"))
        self.assertNotEqual("Wed, 01 May 2024 12:00:00 GMT", rename(path, "CUSTOM_SILVER"))
