"""What is read from the servers, and how many items each answer must have."""

import math
from typing import NamedTuple

from bench.clouds import cloud


class Read(NamedTuple):
    """A GET whose answer has `expected` items under `key`."""

    title: str
    path: str
    key: str
    expected: int


_AMOUNTS = ",".join(f"{name}:{amount}" for name, amount in cloud.RESOURCES.items())
_PLAIN = f"resources={_AMOUNTS}"
_FLAT = f"{_PLAIN}&required={cloud.TRAIT}&member_of={cloud.AGGREGATE}"
_NESTED = (
    f"resources=DISK_GB:10&resources_COMPUTE=VCPU:2,MEMORY_MB:2048"
    f"&required_COMPUTE={cloud.NUMA_TRAIT}&resources_FPGA=FPGA:1"
    "&same_subtree=_COMPUTE,_FPGA&group_policy=none"
)
_GPU_GROUPS = 4
_WIDE = "&".join(f"resources{number}=PGPU:1" for number in range(1, _GPU_GROUPS + 1))
_ISOLATED = f"{_WIDE}&group_policy=isolate"
# Each host has some of its disk in use.
_TOO_MUCH = f"resources=VCPU:1,MEMORY_MB:1024,DISK_GB:{cloud.DISK_GB_OF_HOST}"


def of(plan):
    """Yield the Reads of a Cloud."""
    flat, trees = len(plan.flat_hosts), plan.trees
    chosen = len(plan.chosen_hosts)
    # Each NUMA node can serve either class.
    plain = flat + trees * cloud.NUMA_NODES**2
    nested = trees * cloud.NUMA_NODES
    wide = plan.wide * math.perm(cloud.GPUS, _GPU_GROUPS)
    yield _candidates("flat, trait and aggregate: all", _FLAT, chosen)
    yield _candidates("flat, trait and aggregate", _FLAT, chosen, limit=1000)
    yield _candidates("flat, trait and aggregate", _FLAT, chosen, limit=10)
    yield _candidates("no filter", _PLAIN, plain, limit=1000)
    yield _candidates("nested, same_subtree: all", _NESTED, nested)
    yield _candidates("nested, same_subtree", _NESTED, nested, limit=1000)
    yield _candidates(f"{cloud.GPUS} GPUs, {_GPU_GROUPS} groups", _ISOLATED, wide, limit=1000)
    yield _candidates("nothing fits", _TOO_MUCH, 0)
    yield _providers("providers: all", "", len(plan.providers))
    yield _providers("providers with room", "?resources=VCPU:1,DISK_GB:10", flat)
    yield from _of_host(plan.chosen_hosts[0])


def _candidates(title, query, expected, limit=None):
    path, key = f"/allocation_candidates?{query}", "allocation_requests"
    if limit is None:
        return Read(title, path, key, expected)
    return Read(f"{title}: limit={limit}", f"{path}&limit={limit}", key, min(expected, limit))


def _providers(title, query, expected):
    return Read(title, f"/resource_providers{query}", "resource_providers", expected)


def _of_host(host):
    """Yield the Reads that each nova-compute repeats."""
    path = f"/resource_providers/{host.uuid}"
    yield Read("one provider", path, "links", 6)
    yield Read("its inventories", f"{path}/inventories", "inventories", len(host.inventories))
    yield Read("its usages", f"{path}/usages", "usages", len(host.inventories))
    yield Read("its traits", f"{path}/traits", "traits", len(host.traits))
    yield Read("its aggregates", f"{path}/aggregates", "aggregates", 1)
