import types

import testtools

from placement.handlers import allocation
from placement.objects.claims.claim import UNCHECKED, ConsumerClaim

UUID = "aaaaaaaa-0000-4000-8000-000000000001"
CONSUMER = "cccccccc-0000-4000-8000-000000000001"


def claim(body):
    options = types.SimpleNamespace(
        incomplete_consumer_project_id="default-project", incomplete_consumer_user_id="default-user"
    )
    request = types.SimpleNamespace(conf=types.SimpleNamespace(placement=options))
    return allocation.claim(request, CONSUMER, body)


class ClaimTest(testtools.TestCase):
    def test_a_claim_of_the_first_versions_has_no_owner_generation_or_type(self):
        read = claim(
            {"allocations": [{"resource_provider": {"uuid": UUID}, "resources": {"VCPU": 1}}]}
        )
        self.assertEqual({UUID: {"VCPU": 1}}, read.allocations)
        self.assertEqual(("default-project", "default-user"), (read.project_id, read.user_id))
        self.assertIs(UNCHECKED, read.generation)
        self.assertIsNone(read.consumer_type)

    def test_the_last_item_of_a_provider_that_is_listed_twice_counts(self):
        items = [
            {"resource_provider": {"uuid": UUID}, "resources": {"VCPU": amount}}
            for amount in (1, 2)
        ]
        self.assertEqual({UUID: {"VCPU": 2}}, claim({"allocations": items}).allocations)

    def test_a_claim_of_the_newest_version_has_owner_generation_and_type(self):
        read = claim(
            {
                "allocations": {UUID: {"resources": {"VCPU": 1}, "generation": 5}},
                "project_id": "p",
                "user_id": "u",
                "consumer_generation": None,
                "consumer_type": "INSTANCE",
                "mappings": {"": [UUID]},
            }
        )
        self.assertEqual(
            ConsumerClaim(
                consumer_uuid=CONSUMER,
                project_id="p",
                user_id="u",
                consumer_type="INSTANCE",
                generation=None,
                allocations={UUID: {"VCPU": 1}},
            ),
            read,
        )

    def test_amounts_too_large_for_any_column_are_read_as_one_that_fits_nowhere(self):
        amounts = {"VCPU": 2.0, "DISK_GB": 1e30, "MEMORY_MB": 10**40}
        read = claim({"allocations": {UUID: {"resources": amounts}}})
        self.assertEqual(
            {"VCPU": 2, "DISK_GB": 2147483648, "MEMORY_MB": 2147483648}, read.allocations[UUID]
        )
        for amount in read.allocations[UUID].values():
            self.assertIsInstance(amount, int)
