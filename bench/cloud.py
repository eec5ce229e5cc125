"""The hosts of a cloud, the same on every server, and the claims that are made on them."""

import itertools
import random
import uuid
from typing import NamedTuple

from bench.client import Unexpected

TRAIT = "CUSTOM_BENCH"
AGGREGATE = "6e0e1a92-4a3c-4d69-9f1e-1d7c0e0c3f55"
INVENTORIES = {
    "VCPU": {"total": 128, "allocation_ratio": 16.0},
    "MEMORY_MB": {"total": 2 * 1024 * 1024, "reserved": 4096},
    "DISK_GB": {"total": 20480},
}
# What one claim takes, and what candidates are asked for.
RESOURCES = {"VCPU": 1, "MEMORY_MB": 1024, "DISK_GB": 10}
CLAIMS_PER_HOST = 2044
PROJECTS = 20
USERS_PER_PROJECT = 3


class Host(NamedTuple):
    name: str
    uuid: str
    has_trait: bool
    is_in_aggregate: bool


class Claim(NamedTuple):
    """A new consumer of RESOURCES, all of one host."""

    consumer_uuid: str
    host_uuid: str
    project_id: str
    user_id: str


class Cloud:
    """A number of hosts, and an endless choice of claims; two of one size are alike.

    Half of the hosts have the trait TRAIT, half are in AGGREGATE, a quarter is both.
    """

    def __init__(self, host_count):
        self._random = random.Random(host_count)
        self.hosts = [
            Host(f"host-{number:05}", self._uuid(), number % 2 == 0, number // 2 % 2 == 0)
            for number in range(host_count)
        ]

    @property
    def candidates(self):
        """How many hosts answer CANDIDATES."""
        return sum(host.has_trait and host.is_in_aggregate for host in self.hosts)

    def claims(self, count):
        """Return new claims, on hosts chosen at random."""
        return [self._claim(self._random.choice(self.hosts)) for _ in range(count)]

    def claims_on_each_host(self, count):
        return [self._claim(host) for host in self.hosts for _ in range(count)]

    def _claim(self, host):
        project_id = f"project-{self._random.randrange(PROJECTS)}"
        user_id = f"user-{self._random.randrange(USERS_PER_PROJECT)}-of-{project_id}"
        return Claim(self._uuid(), host.uuid, project_id, user_id)

    def _uuid(self):
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


_AMOUNTS = ",".join(f"{name}:{amount}" for name, amount in RESOURCES.items())
_FILTERS = f"resources={_AMOUNTS}&required={TRAIT}&member_of={AGGREGATE}"
CANDIDATES = f"/allocation_candidates?{_FILTERS}"
PROVIDERS = "/resource_providers"
PROVIDERS_FILTERED = f"{PROVIDERS}?{_FILTERS}"


def load(client, hosts, claims, traits_per_host):
    """Register the hosts with a server, and then make the claims.

    Raises: Unexpected if the server refuses any of it.
    """
    client.insist("PUT", f"/traits/{TRAIT}")
    traits = _standard_traits(client, traits_per_host)
    for host in hosts:
        _register(client, host, traits)
    for claim in claims:
        client.insist("PUT", *claim_request(claim))


def _standard_traits(client, count):
    """The traits that a compute host reports, as far as the server knows them."""
    answer = client.insist("GET", "/traits?name=startswith:COMPUTE_")
    traits = sorted(answer["traits"])[:count]
    if len(traits) < count:
        raise Unexpected(f"There are only {len(traits)} standard traits of compute hosts.")
    return traits


def _register(client, host, traits):
    path = f"/resource_providers/{host.uuid}"
    generation = itertools.count()
    client.insist("POST", "/resource_providers", {"name": host.name, "uuid": host.uuid})
    client.insist(
        "PUT",
        f"{path}/inventories",
        {"resource_provider_generation": next(generation), "inventories": INVENTORIES},
    )
    client.insist(
        "PUT",
        f"{path}/traits",
        {
            "resource_provider_generation": next(generation),
            "traits": traits + [TRAIT] * host.has_trait,
        },
    )
    if host.is_in_aggregate:
        client.insist(
            "PUT",
            f"{path}/aggregates",
            {"resource_provider_generation": next(generation), "aggregates": [AGGREGATE]},
        )


def claim_request(claim):
    """Return (path, document) of the PUT that makes a claim."""
    document = {
        "allocations": {claim.host_uuid: {"resources": RESOURCES}},
        "project_id": claim.project_id,
        "user_id": claim.user_id,
        "consumer_generation": None,
        "consumer_type": "INSTANCE",
    }
    return f"/allocations/{claim.consumer_uuid}", document
