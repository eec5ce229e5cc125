"""The cloud that the servers are asked about, the same on each of them; pure.

Flat hosts, which have the instances and get the claims; nested trees of seven providers; and wide
hosts, with a child for each of their GPUs.
"""

import random
import uuid
from typing import NamedTuple

TRAIT = "HW_CPU_X86_AVX512F"
NUMA_TRAIT = "HW_NUMA_ROOT"
AGGREGATE = "6e0e1a92-4a3c-4d69-9f1e-1d7c0e0c3f55"
# What each instance takes, and what queries ask for.
RESOURCES = {"VCPU": 1, "MEMORY_MB": 1024, "DISK_GB": 10}
DISK_GB_OF_HOST = 20480
CLAIMS_PER_HOST = 2000
NUMA_NODES, GPUS = 2, 8
TREE_SIZE = 1 + 3 * NUMA_NODES
CONSUMER_TYPE = "INSTANCE"
PROJECTS = [f"project-{number}" for number in range(20)]
USERS = [f"user-{number}" for number in range(60)]


class Inventory(NamedTuple):
    total: int
    allocation_ratio: float = 1.0

    @property
    def capacity(self):
        return int(self.total * self.allocation_ratio)


# All flat hosts, even a million of them, share this dict.
_OF_FLAT_HOST = {
    "VCPU": Inventory(128, 16.0),
    "MEMORY_MB": Inventory(2048 * 1024),
    "DISK_GB": Inventory(DISK_GB_OF_HOST),
}


class Provider(NamedTuple):
    """A provider, known by its name. `parent` is the name of its parent, or None for a root."""

    name: str
    uuid: str
    parent: str | None
    root: str
    inventories: dict[str, Inventory]
    traits: tuple[str, ...]
    aggregates: tuple[str, ...] = ()


class Claim(NamedTuple):
    """A new consumer of RESOURCES, all from one host."""

    consumer_uuid: str
    host: Provider
    project: str
    user: str

    def request(self):
        """Return (path, document) of the PUT that makes the claim."""
        document = {
            "allocations": {self.host.uuid: {"resources": RESOURCES}},
            "project_id": self.project,
            "user_id": self.user,
            "consumer_generation": None,
            "consumer_type": CONSUMER_TYPE,
        }
        return f"/allocations/{self.consumer_uuid}", document


class Cloud:
    """Providers, and an endless supply of claims; two clouds of the same size are equal.

    Half of the flat hosts have TRAIT, half are in AGGREGATE, and a quarter have the trait and are
    in the aggregate. All roots have the `compute_traits`.
    """

    aggregates = (AGGREGATE,)

    def __init__(self, flat, trees=0, wide=0, compute_traits=()):
        self._random = random.Random(flat)
        self._compute_traits = tuple(compute_traits)
        self.flat_hosts = [self._flat_host(number) for number in range(flat)]
        self.trees, self.wide = trees, wide
        self.providers = [
            *self.flat_hosts,
            *(provider for number in range(trees) for provider in self._tree(number)),
            *(provider for number in range(wide) for provider in self._wide_host(number)),
        ]

    @property
    def chosen_hosts(self):
        """The flat hosts that have TRAIT and are in AGGREGATE."""
        return [host for host in self.flat_hosts if TRAIT in host.traits and host.aggregates]

    def claims(self, count):
        """Return new claims, on flat hosts chosen at random."""
        return [self._claim(self._random.choice(self.flat_hosts)) for _ in range(count)]

    def claims_on(self, host, count):
        return [self._claim(host) for _ in range(count)]

    def instances(self, count):
        """Return the claims to store before anything is measured: some on each flat host."""
        return [self._claim(host) for host in self.flat_hosts for _ in range(count)]

    def _flat_host(self, number):
        traits = (*self._compute_traits, *([TRAIT] if number % 2 == 0 else []))
        aggregates = self.aggregates if number // 2 % 2 == 0 else ()
        return self._root(f"host-{number:06}", _OF_FLAT_HOST, traits, aggregates)

    def _tree(self, number):
        """Yield a host with a disk, its NUMA nodes, and an FPGA and a card below each."""
        root = self._root(
            f"tree-{number:05}", {"DISK_GB": Inventory(DISK_GB_OF_HOST // 2)}, self._compute_traits
        )
        yield root
        for place in range(NUMA_NODES):
            inventories = {"VCPU": Inventory(64, 16.0), "MEMORY_MB": Inventory(512 * 1024)}
            node = self._child(root, f"numa{place}", inventories, (NUMA_TRAIT,))
            yield node
            yield self._child(node, "fpga", {"FPGA": Inventory(4)})
            yield self._child(node, "card", {"SRIOV_NET_VF": Inventory(32)})

    def _wide_host(self, number):
        inventories = {"VCPU": Inventory(128, 16.0), "MEMORY_MB": Inventory(2048 * 1024)}
        root = self._root(f"wide-{number:05}", inventories, self._compute_traits)
        yield root
        for place in range(GPUS):
            yield self._child(root, f"gpu{place}", {"PGPU": Inventory(1)})

    def _root(self, name, inventories, traits, aggregates=()):
        return Provider(name, self._uuid(), None, name, inventories, traits, aggregates)

    def _child(self, parent, name, inventories, traits=()):
        name = f"{parent.name}-{name}"
        return Provider(name, self._uuid(), parent.name, parent.root, inventories, traits)

    def _claim(self, host):
        choice = self._random.choice
        return Claim(self._uuid(), host, choice(PROJECTS), choice(USERS))

    def _uuid(self):
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))
