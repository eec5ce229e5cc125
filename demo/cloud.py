"""What the demo cloud has: hosts in four racks, and instances of three projects on them.

Racks A and D have plain hosts. Those of rack B have NUMA nodes, some of them with GPUs. Those of
rack C have no disks and share one. Beside them stand bare metal nodes, which are claimed as a
whole. One instance was moved, and its old host still counts it; one device waits for cleaning.
Everything is the same each time, uuids included. It is as last night has left it: a memory module
of b2 failed, so it was disabled, and its second NUMA node emptied (night.py).
"""

import itertools
import random
import uuid
from dataclasses import dataclass, field, replace

GPU_TRAIT = "CUSTOM_GPU_A100"
BARE_METAL = "CUSTOM_BAREMETAL_GOLD"
NVME = "CUSTOM_NVME"
ONE_TIME_USE = "HW_PCI_ONE_TIME_USE"
SHARES = "MISC_SHARES_VIA_AGGREGATE"
SSD = "STORAGE_DISK_SSD"
AVX2 = "HW_CPU_X86_AVX2"
AVX512 = "HW_CPU_X86_AVX512F"
DISABLED = "COMPUTE_STATUS_DISABLED"
# What has failed, where the instances of it went, and how much memory it had and has.
FAILED = "b2"
FAILED_NODE = "b2-numa1"
REFUGES = ("b4", "b6")
MEMORY_MB = 98304
LEFT_MEMORY_MB = 65536
INSTANCES = 200
# The instance that is left over on a host, and the host.
MOVED, LEFT_ON = "vm200", "a2"
# The names of aggregates, as demo/names.json has them for [operator] names.
RACKS = {"rack-a": "Rack A", "rack-b": "Rack B", "rack-c": "Rack C", "rack-d": "Rack D"}

SMALL = {"VCPU": 1, "MEMORY_MB": 2048, "DISK_GB": 20}
MEDIUM = {"VCPU": 4, "MEMORY_MB": 8192, "DISK_GB": 40}
LARGE = {"VCPU": 8, "MEMORY_MB": 16384, "DISK_GB": 80}
WITH_GPU = {"VCPU": 8, "MEMORY_MB": 32768, "DISK_GB": 80, "PGPU": 1}

_NAMESPACE = uuid.UUID("de300000-0000-4000-8000-000000000000")


def uuid_of(name):
    return str(uuid.uuid5(_NAMESPACE, name))


@dataclass
class Provider:
    """`inventories` are as the API takes them; `racks` are names of aggregates."""

    name: str
    inventories: dict = field(default_factory=dict)
    traits: tuple = ()
    racks: tuple = ()
    children: tuple = ()

    @property
    def uuid(self):
        return uuid_of(self.name)


@dataclass
class Instance:
    """A consumer, and what it takes: {name of a provider: {class: amount}}.

    `fled` is what it took before last night, if that was something else.
    """

    name: str
    project: str
    allocations: dict
    fled: dict | None = None


def roots():
    """Return all Providers that have no parent."""
    disk = Provider("c-shared-disk", {"DISK_GB": {"total": 20000}}, (SHARES,), ("rack-c",))
    return [*hosts(), disk, *bare_metal_nodes()]


def hosts():
    return [
        *(_plain_host(number) for number in range(1, 9)),
        *(_numa_host(number, has_gpus=number <= 3) for number in range(1, 7)),
        *(_diskless_host(number) for number in range(1, 7)),
    ]


def bare_metal_nodes():
    return [Provider(f"metal{n}", {BARE_METAL: {"total": 1}}, (AVX512,)) for n in range(1, 5)]


def _plain_host(number):
    inventories = {
        "VCPU": {"total": 32, "allocation_ratio": 4.0},
        "MEMORY_MB": {"total": 131072, "reserved": 4096},
        "DISK_GB": {"total": 2000},
    }
    rack = "rack-a" if number <= 4 else "rack-d"
    return Provider(f"a{number}", inventories, (AVX2, SSD), (rack,))


def _numa_host(number, has_gpus):
    name = f"b{number}"
    nodes = [
        Provider(
            f"{name}-numa{node}",
            {
                "VCPU": {"total": 24, "allocation_ratio": 2.0},
                "MEMORY_MB": {"total": _memory(f"{name}-numa{node}"), "reserved": 2048},
            },
            ("HW_NUMA_ROOT",),
            children=(_gpus(name),) if has_gpus and node == 0 else (),
        )
        for node in range(2)
    ]
    if number == 4:
        # Its last user is gone, and nobody has cleaned it: the agent that does so is missing.
        device = {NVME: {"total": 1, "reserved": 1}}
        nodes.append(Provider(f"{name}-nvme", device, (ONE_TIME_USE,)))
    disk = {"DISK_GB": {"total": 4000}}
    traits = (AVX2, AVX512, SSD, *([DISABLED] if name == FAILED else []))
    return Provider(name, disk, traits, ("rack-b",), tuple(nodes))


def _memory(node):
    return LEFT_MEMORY_MB if node == FAILED_NODE else MEMORY_MB


def _gpus(host_name):
    # The fault to find: nobody has said what kind of GPU b3 has.
    traits = () if host_name == "b3" else (GPU_TRAIT,)
    return Provider(f"{host_name}-gpus", {"PGPU": {"total": 2}}, traits)


def _diskless_host(number):
    inventories = {
        "VCPU": {"total": 64, "allocation_ratio": 2.0},
        "MEMORY_MB": {"total": 262144, "reserved": 4096},
    }
    return Provider(f"c{number}", inventories, (AVX2,), ("rack-c",))


def instances():
    """Return the Instances. They nearly fill a7, and take the GPUs of b1 and b2."""
    found = [_on_plain("a7", "web", MEDIUM) for _ in range(15)]
    found += [_on_numa(f"b{1 + number // 2}", 0, "lab", WITH_GPU) for number in range(4)]
    found += [{"project": "batch", "allocations": {f"metal{n}": {BARE_METAL: 1}}} for n in (1, 2)]
    dice = random.Random(0)
    while len(found) < INSTANCES:
        found.append(_anywhere(dice))
    fleeing = [each for each in found if FAILED_NODE in each["allocations"]]
    for each, refuge in zip(fleeing, itertools.cycle(REFUGES)):
        each["fled"] = each["allocations"]
        each["allocations"] = _elsewhere(each["fled"], refuge)
    named = [Instance(f"vm{number:03}", **each) for number, each in enumerate(found, start=1)]
    return [_left_over(each) if each.name == MOVED else each for each in named]


def _left_over(instance):
    """Return the instance with what its old host still counts."""
    return replace(instance, allocations=instance.allocations | {LEFT_ON: SMALL})


def _elsewhere(allocations, host):
    """The same from the NUMA host of another name."""
    return {name.replace(FAILED, host, 1): taken for name, taken in allocations.items()}


def _anywhere(dice):
    """An instance on a host with plenty of room."""
    project = dice.choice(("web", "web", "lab", "batch"))
    flavor = dice.choices((SMALL, MEDIUM, LARGE), weights=(6, 3, 1))[0]
    rack = dice.choice("aabcc")
    if rack == "b":
        return _on_numa(f"b{dice.randint(1, 6)}", 1, project, flavor)
    if rack == "c":
        return _on_diskless(f"c{dice.randint(1, 6)}", project, flavor)
    return _on_plain(f"a{dice.choice((1, 2, 3, 4, 5, 6, 8))}", project, flavor)


def _on_plain(host, project, flavor):
    return {"project": project, "allocations": {host: flavor}}


def _on_numa(host, node, project, flavor):
    allocations = {
        f"{host}-numa{node}": _only(flavor, "VCPU", "MEMORY_MB"),
        host: _only(flavor, "DISK_GB"),
    }
    if "PGPU" in flavor:
        allocations[f"{host}-gpus"] = _only(flavor, "PGPU")
    return {"project": project, "allocations": allocations}


def _on_diskless(host, project, flavor):
    return {
        "project": project,
        "allocations": {
            host: _only(flavor, "VCPU", "MEMORY_MB"),
            "c-shared-disk": _only(flavor, "DISK_GB"),
        },
    }


def _only(flavor, *classes):
    return {name: flavor[name] for name in classes}
