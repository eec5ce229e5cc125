"""What a worker keeps of requests of many shapes."""

import random
import uuid

import psutil

from bench import loader
from bench.clouds import ordinary_cloud
from placement.db import capacity
from placement.db.sql import prepared
from tests import databases, fixtures

CLASSES = ("VCPU", "MEMORY_MB", "DISK_GB")
# A statement that SQLAlchemy has compiled for one shape takes up to a mebibyte.
MOST_GROWTH = 15 * 1024**2


@databases.on_each_database
class MemoryOfShapes:
    """If one fails, a worker grows with every flavor and every size of a claim."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        traits = self.service.ask("GET", "/traits?name=startswith:COMPUTE_", "latest").json
        self.plan = ordinary_cloud.OrdinaryCloud(20, traits["traits"])
        loader.load(self.service.configuration.placement_database.connection, self.plan, [])
        self.random = random.Random(20)
        self.hosts = [each.uuid for each in self.plan.providers if each.parent is None]

    def assert_hardly_grows(self, ask, count):
        """The first requests are not counted: they import modules, and fill other caches."""
        process = psutil.Process()
        for _ in range(count // 3):
            ask()
        before = process.memory_info().rss
        for _ in range(count):
            ask()
        self.assertLess(process.memory_info().rss - before, MOST_GROWTH)

    def test_queries_of_many_shapes_leave_little_behind(self):
        paths = iter(self.plan.wild_queries(400))

        def ask():
            answer = self.service.ask("GET", next(paths), "latest")
            self.assertEqual(200, answer.status_int, answer.text)

        self.assert_hardly_grows(ask, 300)

    def test_claims_of_many_shapes_leave_little_behind(self):
        def ask():
            claims = {self.uuid(): self.claim() for _ in range(self.random.randint(1, 6))}
            answer = self.service.ask(
                "POST", "/allocations", "latest", json=claims, content_type="application/json"
            )
            self.assertEqual(204, answer.status_int, answer.text)

        self.assert_hardly_grows(ask, 120)
        kept = capacity._statement.cache_info()
        self.assertLessEqual(kept.currsize, prepared.MOST_SHAPES)

    def claim(self):
        hosts = self.random.sample(self.hosts, self.random.randint(1, 12))
        return {
            "allocations": {host: {"resources": self.resources()} for host in hosts},
            "project_id": f"project-{self.random.randint(1, 5)}",
            "user_id": f"user-{self.random.randint(1, 9)}",
            "consumer_generation": None,
            "consumer_type": "INSTANCE",
        }

    def resources(self):
        return dict.fromkeys(self.random.sample(CLASSES, self.random.randint(1, 3)), 1)

    def uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))
