"""Clouds of a hundred hosts with devices or a shared disk, and what is asked about them; pure.

An agent, such as nova-compute, reports what its host has. Instances are moved and deleted, and
schedulers ask for devices.
"""

import math
import random
import uuid

from bench.clouds import cloud
from bench.clouds.cloud import Inventory, Provider
from bench.clouds.reads import Read

HOSTS = 100
TRAITS = 30
DEVICE_CLASS, DEVICE_TRAIT = "PGPU", "HW_GPU_API_VULKAN"
SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE"
LIMIT = 1000
_AMOUNTS = ",".join(f"{name}:{amount}" for name, amount in cloud.RESOURCES.items())


class AgentsCloud:
    """The providers, and the instances on them.

    Each host has as many children as `devices` says; half of the children have DEVICE_TRAIT. With
    `shares_disk`, hosts have no disks of their own, and all share one.
    """

    def __init__(self, traits, devices=0, shares_disk=False):
        self._random = random.Random(devices)
        self._traits, self._devices, self._shares_disk = tuple(traits), devices, shares_disk
        self.aggregates = [self._uuid(), self._uuid()]
        self.hosts = [self._host(f"host-{number:03}") for number in range(HOSTS)]
        self.providers = [*self.hosts, *(each for host in self.hosts for each in self._below(host))]
        if shares_disk:
            self.providers.append(
                self._root("disk", {"DISK_GB": Inventory(1_000_000)}, (SHARING_TRAIT,))
            )

    def instances(self, count):
        """Return the claims that exist before anything is measured: `count` on each host."""
        choice = self._random.choice
        return [
            cloud.Claim(self._uuid(), host, choice(cloud.PROJECTS), choice(cloud.USERS))
            for host in self.hosts
            for _ in range(count)
        ]

    def agents_reads(self):
        """Yield the Reads of one project and of one tree."""
        usages = f"/usages?project_id={cloud.PROJECTS[0]}"
        yield Read("usages of a project", usages, "usages", 1)
        tree = f"/resource_providers?in_tree={self.hosts[0].uuid}"
        yield Read("providers of a tree", tree, "resource_providers", 1 + self._devices)

    def device_reads(self):
        """Yield Reads of candidates with one device, with several, and with one with a trait."""
        # A peer may make all candidates before it drops those beyond the limit. For 4 of 16 devices
        # there are 4 million candidates, for which a peer would need minutes and 2 GB of memory.
        for groups in (1, 2, 4 if self._devices < 16 else 3):
            expected = HOSTS * math.perm(self._devices, groups)
            query = "".join(f"&resources{number}={DEVICE_CLASS}:1" for number in range(groups))
            yield self._candidates(f"{groups} of {self._devices} devices", query, expected)
        query = f"&resources1={DEVICE_CLASS}:1&required1={DEVICE_TRAIT}"
        title = f"1 of {self._devices} devices, with a trait"
        yield self._candidates(title, query, HOSTS * self._devices // 2)

    def shared_disk_read(self):
        """Return the Read of candidates with the shared disk."""
        return self._candidates(f"a disk shared by {HOSTS} hosts", "", HOSTS)

    def _candidates(self, title, query, expected):
        path = f"/allocation_candidates?resources={_AMOUNTS}{query}&group_policy=none&limit={LIMIT}"
        return Read(title, path, "allocation_requests", min(expected, LIMIT))

    def _host(self, name):
        inventories = {"VCPU": Inventory(64, 16.0), "MEMORY_MB": Inventory(512 * 1024)}
        if not self._shares_disk:
            inventories["DISK_GB"] = Inventory(20_480)
        return self._root(name, inventories, self._traits)

    def _below(self, host):
        for place in range(self._devices):
            name, traits = f"{host.name}-device-{place:02}", (DEVICE_TRAIT,) * (place % 2)
            inventories = {DEVICE_CLASS: Inventory(1)}
            yield Provider(name, self._uuid(), host.name, host.name, inventories, traits)

    def _root(self, name, inventories, traits):
        aggregates = tuple(self.aggregates[:1])
        return Provider(name, self._uuid(), None, name, inventories, traits, aggregates)

    def _uuid(self):
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))
