"""What a write answers is what a read shows afterwards."""

from tests import databases, fixtures

HOST = "10000000-0000-0000-0000-000000000001"
AGGREGATE = "a0000000-0000-0000-0000-000000000001"


@databases.on_each_database
class WrittenAsRead:
    """If a test fails, a client that keeps the answer to its write has a wrong value."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))

    def written(self, method, path, body, read_at=None):
        """Assert that the answer to a write is what a read shows; return it."""
        answer = self.service.ask(
            method, path, "latest", json=body, content_type="application/json"
        )
        self.assertEqual(200, answer.status_int, answer.text)
        self.assertEqual(answer.json, self.service.ask("GET", read_at or path, "latest").json)
        return answer.json

    def test_a_provider_is_shown_as_it_was_created_and_changed(self):
        host = f"/resource_providers/{HOST}"
        self.written("POST", "/resource_providers", {"name": "host", "uuid": HOST}, read_at=host)
        self.written("PUT", host, {"name": "renamed"})

    def test_what_a_provider_has_is_shown_as_it_was_written(self):
        host = f"/resource_providers/{HOST}"
        created = self.written(
            "POST", "/resource_providers", {"name": "host", "uuid": HOST}, read_at=host
        )
        generation = {"resource_provider_generation": created["generation"]}
        for name, values in (
            ("inventories", {"inventories": {"VCPU": {"total": 8, "allocation_ratio": 1.5}}}),
            ("traits", {"traits": ["HW_CPU_X86_VMX", "COMPUTE_NODE"]}),
            ("aggregates", {"aggregates": [AGGREGATE]}),
        ):
            answer = self.written("PUT", f"{host}/{name}", values | generation)
            generation = {
                "resource_provider_generation": answer["resource_provider_generation"]
            }
