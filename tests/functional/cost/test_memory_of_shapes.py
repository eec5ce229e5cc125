"""The memory that a worker keeps after requests of many shapes."""

import psutil

from bench.clouds import loader, ordinary_cloud
from placement.db import taking_capacity
from placement.db.sql import prepared
from tests import databases, fixtures

# A statement that SQLAlchemy has compiled for one shape takes up to a mebibyte.
MOST_GROWTH = 15 * 1024**2


@databases.on_each_database
class MemoryOfShapes:
    """If a test fails, a worker grows with every flavor and every size of a claim."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        traits = self.service.ask("GET", "/traits?name=startswith:COMPUTE_", "latest").json
        self.plan = ordinary_cloud.OrdinaryCloud(20, traits["traits"])
        loader.load(self.service.configuration.placement_database.connection, self.plan, [])

    def assert_hardly_grows(self, ask, count):
        """The first requests are not counted: they import modules, and fill other caches."""
        process = psutil.Process()
        for _ in range(count // 3):
            ask()
        before = process.memory_info().rss
        for _ in range(count):
            ask()
        self.assertLess(process.memory_info().rss - before, MOST_GROWTH)

    def test_queries_of_many_shapes_leave_little_memory_in_use(self):
        paths = iter(self.plan.wild_queries(400))
        self.assert_hardly_grows(lambda: self.read(next(paths)), 300)

    def test_explanations_of_many_shapes_leave_little_memory_in_use(self):
        paths = iter(ordinary_cloud.of_operators(self.plan.wild_queries(200), "explanation"))
        self.assert_hardly_grows(lambda: self.read(next(paths)), 150)

    def test_fits_of_many_shapes_leave_little_memory_in_use(self):
        paths = iter(ordinary_cloud.of_operators(self.plan.wild_queries(200), "fit"))
        self.assert_hardly_grows(lambda: self.read(next(paths)), 150)

    def test_claims_of_many_shapes_leave_little_memory_in_use(self):
        claims = iter(self.plan.claims(160))

        def claim():
            answer = self.service.ask(
                "POST",
                "/allocations",
                "latest",
                json=next(claims),
                content_type="application/json",
            )
            self.assertEqual(204, answer.status_int, answer.text)

        self.assert_hardly_grows(claim, 120)
        kept = taking_capacity._statement.cache_info()
        self.assertLessEqual(kept.currsize, prepared.MOST_SHAPES)

    def read(self, path):
        answer = self.service.ask("GET", path, "latest")
        self.assertEqual(200, answer.status_int, answer.text)
