"""keystoneauth1, through which the services of a cloud talk to each other."""

from keystoneauth1 import adapter, exceptions, noauth, session

from placement import microversion
from tests.clients import interception

HOST = "5c000001-0000-4000-8000-000000000001"
INSTANCE = "5c000002-0000-4000-8000-000000000001"


class Adapters(interception.ClientTest):
    """Stories of an adapter: a session that knows the service, and perhaps a microversion."""

    def adapter(self, token="admin", **options):
        return adapter.Adapter(self.session_of(token), service_type="placement", **options)

    def test_the_range_of_microversions_is_discovered(self):
        endpoint = self.adapter().get_endpoint_data()
        self.assertEqual((1, 0), endpoint.api_version)
        self.assertEqual((1, 0), endpoint.min_microversion)
        self.assertEqual(microversion.MAXIMUM, endpoint.max_microversion)
        self.assertEqual(interception.URL + "/", endpoint.url)

    def test_discovery_needs_no_role(self):
        stranger = session.Session(auth=noauth.NoAuth(endpoint=interception.URL))
        placement = adapter.Adapter(stranger, service_type="placement")
        self.assertEqual(microversion.MAXIMUM, placement.get_endpoint_data().max_microversion)
        self.assertRaises(exceptions.Forbidden, placement.get, "/resource_providers")

    def test_a_client_without_a_microversion_gets_the_oldest(self):
        response = self.adapter().get("/resource_providers")
        self.assertEqual("placement 1.0", response.headers["OpenStack-API-Version"])

    def test_the_microversion_of_a_request_overrides_that_of_the_adapter(self):
        placement = self.adapter(default_microversion="1.20")
        for wanted, got in [
            ({}, "1.20"),
            ({"microversion": "1.7"}, "1.7"),
            ({"microversion": "latest"}, microversion.VERSIONS[-1]),
        ]:
            response = placement.get("/resource_providers", **wanted)
            self.assertEqual(f"placement {got}", response.headers["OpenStack-API-Version"])

    def test_a_future_microversion_is_refused_with_the_supported_range(self):
        refusal = self.assertRaises(
            exceptions.NotAcceptable,
            self.adapter().get, "/resource_providers", microversion="1.999",
        )
        error = refusal.response.json()["errors"][0]
        known = microversion.VERSIONS[0], microversion.VERSIONS[-1]
        self.assertEqual(known, (error["min_version"], error["max_version"]))

    def test_an_error_becomes_an_exception_with_a_text_and_a_request_id(self):
        refusal = self.assertRaises(
            exceptions.NotFound, self.adapter().get, f"/resource_providers/{HOST}"
        )
        self.assertIn(HOST, refusal.details)
        self.assertEqual(
            refusal.request_id, refusal.response.json()["errors"][0]["request_id"]
        )

    def test_a_candidate_is_claimed_as_it_was_given(self):
        """What nova's scheduler does for an instance on a host that its agent has reported."""
        placement = self.adapter(default_microversion="latest")
        placement.post("/resource_providers", json={"uuid": HOST, "name": "host"})
        placement.put(
            f"/resource_providers/{HOST}/inventories",
            json={"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8}}},
        )
        found = placement.get("/allocation_candidates?resources=VCPU:6&limit=1").json()
        [request] = found["allocation_requests"]
        claim = {
            **request,
            "project_id": "project",
            "user_id": "user",
            "consumer_type": "INSTANCE",
            "consumer_generation": None,
        }
        placement.put(f"/allocations/{INSTANCE}", json=claim)

        usages = placement.get(f"/resource_providers/{HOST}/usages").json()
        self.assertEqual({"VCPU": 6}, usages["usages"])
        second = f"/allocations/{INSTANCE[:-1]}2"
        refusal = self.assertRaises(exceptions.Conflict, placement.put, second, json=claim)
        self.assertIn("Unable to allocate inventory", refusal.details)

        self.assertEqual(204, placement.delete(f"/allocations/{INSTANCE}").status_code)
        placement.put(second, json=claim)

    def test_two_agents_that_read_the_same_generation_do_not_both_write(self):
        placement = self.adapter(default_microversion="latest")
        placement.post("/resource_providers", json={"uuid": HOST, "name": "host"})
        inventories = f"/resource_providers/{HOST}/inventories"
        body = {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8}}}
        placement.put(inventories, json=body)
        refusal = self.assertRaises(exceptions.Conflict, placement.put, inventories, json=body)
        error = refusal.response.json()["errors"][0]
        self.assertEqual("placement.concurrent_update", error["code"])

    def test_without_raise_exc_the_client_gets_the_status_of_a_refusal(self):
        response = self.adapter().delete(f"/resource_providers/{HOST}", raise_exc=False)
        self.assertEqual(404, response.status_code)
