"""Random clouds that are small enough to try everything, and mixes of requests; pure."""

from typing import NamedTuple

HOSTS, NUMA, SHARED_DISK = "hosts", "NUMA nodes", "a shared disk"
KINDS = (HOSTS, NUMA, SHARED_DISK)

TRAIT = "HW_CPU_X86_AVX2"
SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE"


class SmallProvider(NamedTuple):
    """A provider without unit rules or ratios.

    inventories  {class: free amount}
    is_member    whether it is in the only aggregate
    """

    name: str
    parent: str | None
    inventories: dict[str, int]
    traits: tuple[str, ...] = ()
    is_member: bool = False


class Wanted(NamedTuple):
    """A request of a mix."""

    query: str
    count: int


def providers(kind, random):
    """Return the SmallProviders of two to four hosts, parents first."""
    found = []
    for number in range(random.randint(2, 4)):
        found += _tree(kind, f"host-{number}", random)
    if kind == SHARED_DISK:
        disk = {"DISK_GB": random.choice([60, 80, 120, 200])}
        found.append(SmallProvider("disk", None, disk, (SHARING_TRAIT,), True))
    return found


def mix(kind, random):
    """Return two to four different requests, each Wanted one to five times."""
    queries = {_query(kind, random) for _ in range(random.randint(2, 4))}
    return [Wanted(query, random.randint(1, 5)) for query in sorted(queries)]


def _tree(kind, name, random):
    traits = (TRAIT,) if random.random() < 0.5 else ()
    if kind == NUMA:
        yield SmallProvider(name, None, {"DISK_GB": _disk(random)}, traits)
        for number in range(2):
            yield SmallProvider(f"{name}-{number}", name, _processors(random))
    elif kind == SHARED_DISK and random.random() < 0.5:
        yield SmallProvider(name, None, _processors(random), traits, True)
    else:
        room = _processors(random) | {"DISK_GB": _disk(random)}
        yield SmallProvider(name, None, room, traits, kind == SHARED_DISK)


def _processors(random):
    return {
        "VCPU": random.choice([4, 6, 8, 12, 16]),
        "MEMORY_MB": 1024 * random.choice([6, 8, 12, 16, 24]),
    }


def _disk(random):
    return random.choice([20, 40, 60, 100])


def _query(kind, random):
    groups = 2 if kind == NUMA and random.random() < 0.3 else 1
    disk = random.choice([0, 10, 20, 40])
    parts = [f"VCPU:{random.choice([1, 2, 3, 4, 6])}"]
    parts.append(f"MEMORY_MB:{1024 * random.choice([1, 2, 4, 6, 8])}")
    required = f"&required={TRAIT}" if kind != NUMA and random.random() < 0.3 else ""
    if groups == 1:
        return "resources=" + ",".join([*parts, f"DISK_GB:{disk}"][: 3 if disk else 2]) + required
    # Each NUMA node of an instance is served by one NUMA node of the host.
    numa = "&".join(f"resources{number}={','.join(parts)}" for number in range(groups))
    return numa + (f"&resources=DISK_GB:{disk}" if disk else "") + "&group_policy=none"
