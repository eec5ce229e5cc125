"""How many statements it takes to record changes, beyond those of the requests themselves."""

from tests import databases
from tests.functional.cost import test_cost_of_requests as requests

HOST, CHILD, CONSUMER, MIGRATION = (
    requests.HOST,
    requests.CHILD,
    requests.CONSUMER,
    requests.MIGRATION,
)
FLAVOR, claim = requests.FLAVOR, requests.claim


@databases.on_each_database
class CostOfChanges(requests.CountedRequests):
    """If a test fails, recording changes makes writes slower."""

    history_days = 30

    def setUp(self):
        super().setUp()
        self.make_a_host_with_a_claim()

    def test_a_new_claim_takes_one_more_statement(self):
        self.assertEqual(5, self.cost("PUT", f"/allocations/{MIGRATION}", claim({HOST: FLAVOR})))

    def test_a_claim_of_an_existing_consumer_takes_two_more_statements(self):
        resized = claim({HOST: FLAVOR}, 1)
        self.assertEqual(8, self.cost("PUT", f"/allocations/{CONSUMER}", resized))

    def test_a_release_takes_one_more_statement(self):
        # If DELETE cannot return rows, the owner is read first.
        expected = 5 if self.service.database.engine.dialect.delete_returning else 6
        self.assertEqual(expected, self.cost("DELETE", f"/allocations/{CONSUMER}"))

    def test_a_move_takes_three_more_statements(self):
        move = {CONSUMER: claim({}, 1), MIGRATION: claim({HOST: FLAVOR})}
        self.assertEqual(10, self.cost("POST", "/allocations", move))

    def test_a_refused_claim_takes_no_more_statements(self):
        self.cost("PUT", f"/allocations/{MIGRATION}", claim({HOST: FLAVOR}))
        too_much = claim({HOST: {"resources": {"VCPU": 1000}}})
        path = "/allocations/20000000-0000-0000-0000-000000000003"
        # On MySQL, one statement checks whether the session has lost its settings.
        asked = 7 if self.kind == "mysql" else 6
        self.assertEqual(asked, self.cost("PUT", path, too_much, status=409))

    def test_writes_of_agents_take_one_more_statement_and_inventories_two(self):
        provider = f"/resource_providers/{HOST}"
        body = {"resource_provider_generation": 2, "inventories": requests.THREE_CLASSES}
        self.assertEqual(5, self.cost("PUT", f"{provider}/inventories", body))
        body = {"resource_provider_generation": 3, "traits": ["HW_CPU_X86_AVX"]}
        self.assertEqual(4, self.cost("PUT", f"{provider}/traits", body))
        body = {"resource_provider_generation": 4, "aggregates": [requests.AGGREGATE]}
        self.assertEqual(6, self.cost("PUT", f"{provider}/aggregates", body))
        self.assertEqual(4, self.cost("POST", "/resource_providers", {"name": "child"}))
