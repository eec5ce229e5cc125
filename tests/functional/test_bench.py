"""What the benchmark writes straight into the tables is as sound as what the service writes."""

from bench import cloud, loader, reads
from placement.objects import audit
from tests import databases, fixtures


@databases.on_each_database
class Loading:
    def setUp(self):
        super().setUp()
        self.plan = cloud.Cloud(flat=9, trees=2, wide=1, compute_traits=["COMPUTE_NODE"])
        self.service = self.useFixture(fixtures.Application(self.kind))
        url = self.service.configuration.placement_database.connection
        loader.load(url, self.plan, self.plan.instances(2))

    def test_an_audit_finds_nothing(self):
        with self.service.database.reader() as conn:
            self.assertTrue(audit.is_sound(audit.audit(conn)))

    def test_answers_are_as_long_as_the_benchmark_expects(self):
        for read in reads.of(self.plan):
            answer = self.service.ask("GET", read.path, "1.39").json
            self.assertEqual(read.expected, len(answer[read.key]), read.title)

    def test_claims_are_stored(self):
        for claim in self.plan.claims(4):
            path, document = claim.request()
            answer = self.service.ask(
                "PUT", path, "1.39", json=document, content_type="application/json"
            )
            self.assertEqual(204, answer.status_int, answer.text)
