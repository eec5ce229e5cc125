"""The sizes and extra specs of a flavor -> the query that nova asks; pure.

Source: nova's documentation of flavors and of placement in its scheduler.
"""

import re
from typing import NamedTuple

import os_traits

from placement.candidates import query_text
from placement.schemas import common

# A size or an amount. A number with more digits fits nowhere.
NUMBER = re.compile("[0-9]{1,18}")
_MIB_IN_GIB = 1024
_MASK = "hw:cpu_dedicated_mask"
# A part of a mask, between commas: a processor, or the first and the last processor of a range. A ^
# before them excludes them.
_PART_OF_MASK = re.compile(rf"(\^?)\s*({NUMBER.pattern})(?:\s*-\s*({NUMBER.pattern}))?")
_SPEC = re.compile(f"(resources|trait)((?:{common.SUFFIX})?):({common.NAME})")
_TRAIT = {"required": "", "forbidden": "!"}
# Nova never chooses a host whose service is disabled.
_ALWAYS = ("root_required", f"!{os_traits.COMPUTE_STATUS_DISABLED}")
_HYPERTHREADING = {
    "isolate": f"!{os_traits.HW_CPU_HYPERTHREADING}",
    "require": os_traits.HW_CPU_HYPERTHREADING,
}
_TPM = {"1.2": os_traits.COMPUTE_SECURITY_TPM_1_2, "2.0": os_traits.COMPUTE_SECURITY_TPM_2_0}
# The specs, besides resources and trait specs, that `request` puts into the query.
_TRANSLATED = frozenset(
    (
        "group_policy",
        _MASK,
        "hw:cpu_policy",
        "hw:cpu_thread_policy",
        "hw:emulator_threads_policy",
        "hw:mem_encryption",
        "hw:pmem",
        "hw:tpm_version",
    )
)
# The beginnings of other specs, which matter only to hypervisors or to nova's own filters.
_LEFT_TO_NOVA = ("hw:", "hw_rng:", "os:", "powervm:", "quota:", "vmware:")


class Sizes(NamedTuple):
    """The sizes of a flavor: numbers of processors, MiB of memory and swap, GiB of disks."""

    vcpus: int = 0
    ram: int = 0
    disk: int = 0
    ephemeral: int = 0
    swap: int = 0


class FlavorQuery(NamedTuple):
    """The query for an instance, and specs that are not in that query, as KEY=VALUE.

    ignored       what the query does not cover, although nova may ask Placement for it
    left_to_nova  what nova does not ask Placement for: nova's filters, or hypervisors, decide
    """

    query: str
    ignored: list[str]
    left_to_nova: list[str]


class _Group(NamedTuple):
    """What a request group asks for: {class: amount}, and traits, with an ! if forbidden."""

    amounts: dict[str, int]
    traits: list[str]


def request(sizes, specs):
    """Return the FlavorQuery of Sizes and extra specs; `specs` is {key: string}.

    A spec `resources:CLASS=N` replaces the size of its class; with N = 0, the class is not asked
    for.
    """
    groups = {"": _Group(_amounts(sizes, specs), _traits(specs))}
    ignored, left_to_nova = [], []
    if not all(map(_PART_OF_MASK.fullmatch, _parts(specs.get(_MASK, "")))):
        ignored.append(f"{_MASK}={specs[_MASK]}")
    for key, value in specs.items():
        if key not in _TRANSLATED and not _add_spec(groups, key, value):
            others = left_to_nova if key.startswith(_LEFT_TO_NOVA) else ignored
            others.append(f"{key}={value}")
    pairs = [pair for suffix, group in groups.items() for pair in _pairs(suffix, group)]
    if "group_policy" in specs:
        pairs.append(("group_policy", specs["group_policy"]))
    return FlavorQuery(query_text.joined([*pairs, _ALWAYS]), ignored, left_to_nova)


def _amounts(sizes, specs):
    """Return {class: amount} for what the sizes, and the specs about processors, ask for."""
    swap_gib = -(-sizes.swap // _MIB_IN_GIB)  # Rounded up.
    disk = sizes.disk + sizes.ephemeral + swap_gib
    amounts = {"MEMORY_MB": sizes.ram, "DISK_GB": disk}
    policy = specs.get("hw:cpu_policy", "shared")
    if policy == "dedicated":
        amounts["PCPU"] = sizes.vcpus
        if specs.get("hw:emulator_threads_policy") == "isolate":
            amounts["PCPU"] += 1
    elif policy == "mixed":
        dedicated = _size_of_mask(specs.get(_MASK, ""), sizes.vcpus)
        amounts |= {"PCPU": dedicated, "VCPU": sizes.vcpus - dedicated}
    else:
        amounts["VCPU"] = sizes.vcpus
    if specs.get("hw:mem_encryption", "").lower() in ("true", "1", "yes", "on"):
        amounts["MEM_ENCRYPTION_CONTEXT"] = 1
    for label in filter(None, specs.get("hw:pmem", "").split(",")):
        name = f"CUSTOM_PMEM_NAMESPACE_{label.strip().upper()}"
        amounts[name] = amounts.get(name, 0) + 1
    return amounts


def _size_of_mask(mask, vcpus):
    """Return how many of the processors numbered below `vcpus` a mask such as 0-3,^1 names."""
    size = previous = 0
    # How many ranges of each kind contain the processors between two edges.
    depths = {"named": 0, "excluded": 0}
    for place, what, change in sorted(_edges(mask, vcpus)):
        if depths["named"] and not depths["excluded"]:
            size += place - previous
        depths[what] += change
        previous = place
    return size


def _edges(mask, vcpus):
    """Yield (processor, "named" or "excluded", 1 or -1) where a range of a mask begins or ends.

    A range ends at the processor after its last one. Parts that cannot be read are skipped.
    """
    for found in filter(None, map(_PART_OF_MASK.fullmatch, _parts(mask))):
        excluded, first, last = found.groups()
        start, end = int(first), min(int(last or first) + 1, vcpus)
        if start < end:
            what = "excluded" if excluded else "named"
            yield from ((start, what, 1), (end, what, -1))


def _parts(mask):
    return filter(None, map(str.strip, mask.split(",")))


def _traits(specs):
    """Return the traits that specs other than trait specs ask for."""
    traits = []
    if specs.get("hw:cpu_policy") in ("dedicated", "mixed"):
        traits.append(_HYPERTHREADING.get(specs.get("hw:cpu_thread_policy")))
    traits.append(_TPM.get(specs.get("hw:tpm_version")))
    return [trait for trait in traits if trait is not None]


def _add_spec(groups, key, value):
    """Add to its group what a resources or trait spec asks for. Return False for other specs."""
    match = _SPEC.fullmatch(key)
    if match is None:
        return False
    kind, suffix, name = match.groups()
    group = groups.setdefault(suffix, _Group(amounts={}, traits=[]))
    if kind == "resources" and NUMBER.fullmatch(value):
        group.amounts[name] = int(value)
    elif kind == "trait" and value in _TRAIT:
        group.traits.append(_TRAIT[value] + name)
    else:
        return False
    return True


def _pairs(suffix, group):
    """Return the (parameter, value) pairs of a group that asks for something."""
    asked = ",".join(f"{name}:{amount}" for name, amount in group.amounts.items() if amount)
    pairs = [(f"resources{suffix}", asked), (f"required{suffix}", ",".join(group.traits))]
    return [pair for pair in pairs if pair[1]]
