"""A client that openapi-python-client generates from the description of the API.

`make client` generates it anew from the description that a server gives, and claims resources of
that server. With $BASE_URL it talks to a server that is already running.
"""

import os
import subprocess
import sys
import tempfile
import unittest
import urllib.request
import uuid

from tests import server


class GeneratedClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.url = cls.enterClassContext(server.running())
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        description = os.path.join(directory, "openapi.json")
        with open(description, "wb") as output:
            output.write(urllib.request.urlopen(f"{cls.url}/openapi.json").read())
        cls.report = subprocess.run(
            [server.program("openapi-python-client"), "generate", "--path", description]
            + ["--meta", "none", "--output-path", os.path.join(directory, "placement_client")],
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # With this PATH, the generator finds the formatter that it needs.
            env=os.environ | {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"},
        ).stdout
        sys.path.insert(0, directory)

    def test_the_client_is_generated_without_a_warning(self):
        self.assertNotIn("Warning", self.report)

    def test_the_generated_client_claims_a_gpu_of_a_host(self):
        # These modules exist only after the client has been generated.
        from placement_client import AuthenticatedClient, models
        from placement_client.api.allocation_candidates import list_allocation_candidates
        from placement_client.api.allocations import list_allocations, replace_allocations
        from placement_client.api.inventories import replace_inventories
        from placement_client.api.resource_providers import create_resource_provider
        from placement_client.api.traits import replace_provider_traits
        from placement_client.api.usages import show_provider_usages

        client = self.enterContext(
            AuthenticatedClient(
                base_url=self.url, token="admin", prefix="", auth_header_name="X-Auth-Token"
            )
        )
        made = {}
        for name, parent, inventories in (
            ("host", None, {"VCPU": {"total": 8, "allocation_ratio": 4.0}}),
            ("gpu", "host", {"PGPU": {"total": 2}}),
        ):
            body = models.NewResourceProvider(name=f"{name}-{uuid.uuid4()}")
            if parent:
                body.parent_provider_uuid = made[parent].uuid
            made[name] = create_resource_provider.sync(client=client, body=body)
            update = models.InventoriesUpdate(
                resource_provider_generation=made[name].generation,
                inventories=models.InventoriesUpdateInventories.from_dict(inventories),
            )
            stored = replace_inventories.sync(made[name].uuid, client=client, body=update)
            self.assertEqual(made[name].generation + 1, stored.resource_provider_generation)
        replace_provider_traits.sync(
            made["gpu"].uuid,
            client=client,
            body=models.ProviderTraitsUpdate(
                resource_provider_generation=1, traits=["HW_GPU_API_VULKAN"]
            ),
        )

        found = list_allocation_candidates.sync(
            client=client,
            resources="VCPU:2",
            in_tree=made["host"].uuid,
            resources_by_group=models.ResourcesByGroup.from_dict({"resources_GPU": "PGPU:1"}),
            required_by_group=models.RequiredByGroup.from_dict(
                {"required_GPU": ["HW_GPU_API_VULKAN"]}
            ),
            in_tree_by_group=models.InTreeByGroup.from_dict(
                {"in_tree_GPU": str(made["host"].uuid)}
            ),
        )
        (candidate,) = found.allocation_requests
        self.assertEqual([made["gpu"].uuid], candidate.mappings["_GPU"])
        summary = found.provider_summaries[str(made["host"].uuid)]
        self.assertEqual(32, summary.resources["VCPU"].capacity)

        consumer = uuid.uuid4()
        claim = models.Claim(
            allocations=models.ClaimAllocations.from_dict(candidate.allocations.to_dict()),
            mappings=models.ClaimMappings.from_dict(candidate.mappings.to_dict()),
            project_id="acme",
            user_id="wile",
            consumer_generation=None,
            consumer_type="INSTANCE",
        )
        answer = replace_allocations.sync_detailed(consumer, client=client, body=claim)
        self.assertEqual(204, answer.status_code, answer.content)
        claimed = list_allocations.sync(consumer, client=client)
        allocation = claimed.allocations[str(made["gpu"].uuid)]
        self.assertEqual({"PGPU": 1}, allocation.resources.to_dict())
        used = show_provider_usages.sync(made["host"].uuid, client=client)
        self.assertEqual({"VCPU": 2}, used.usages.to_dict())

        # The consumer exists by now.
        refused = replace_allocations.sync(consumer, client=client, body=claim)
        self.assertEqual("placement.concurrent_update", refused.errors[0].code)
