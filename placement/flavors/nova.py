"""The sizes and extra specs of a flavor -> the query that nova asks; pure.

Source: nova's documentation of flavors and of placement in its scheduler.
"""

import re
from typing import NamedTuple

import os_traits

from placement.schemas import parts

_MIB_IN_GIB = 1024
_SPEC = re.compile(f"(resources|trait)((?:{parts.SUFFIX})?):({parts.NAME})")
_TRAIT = {"required": "", "forbidden": "!"}
# Nova never chooses a host whose service is disabled.
_ALWAYS = ("root_required", f"!{os_traits.COMPUTE_STATUS_DISABLED}")
_HYPERTHREADING = {
    "isolate": f"!{os_traits.HW_CPU_HYPERTHREADING}",
    "require": os_traits.HW_CPU_HYPERTHREADING,
}
_TPM = {"1.2": os_traits.COMPUTE_SECURITY_TPM_1_2, "2.0": os_traits.COMPUTE_SECURITY_TPM_2_0}
# Other specs that only matter to hypervisors, or to nova's own filters.
_OF_NO_REQUEST = ("hw", "hw_rng", "os", "powervm", "quota", "vmware")


class Sizes(NamedTuple):
    """The sizes of a flavor: numbers of processors, MiB of memory and swap, GiB of disks."""

    vcpus: int = 0
    ram: int = 0
    disk: int = 0
    ephemeral: int = 0
    swap: int = 0


class FlavorQuery(NamedTuple):
    """The query of an instance, and the specs that it does not cover."""

    query: str
    ignored: list[str]


def request(sizes, specs):
    """Return the FlavorQuery of Sizes and extra specs, {key: text}.

    A spec `resources:CLASS=N` replaces the size of its class; with N = 0, the class is not asked
    for.
    """
    groups = {"": ({}, [])}
    groups[""][0].update(_amounts(sizes, specs))
    groups[""][1].extend(_traits(specs))
    ignored = [
        f"{key}={value}" for key, value in specs.items() if not _take(groups, key, value)
    ]
    pairs = [pair for suffix, group in groups.items() for pair in _pairs(suffix, *group)]
    if "group_policy" in specs:
        pairs.append(("group_policy", specs["group_policy"]))
    return FlavorQuery("&".join(map("=".join, [*pairs, _ALWAYS])), ignored)


def _amounts(sizes, specs):
    """Return {class: amount} of what the sizes, and the specs about processors, ask for."""
    disk = sizes.disk + sizes.ephemeral + -(-sizes.swap // _MIB_IN_GIB)
    amounts = {"MEMORY_MB": sizes.ram, "DISK_GB": disk}
    policy = specs.get("hw:cpu_policy", "shared")
    if policy == "dedicated":
        amounts["PCPU"] = sizes.vcpus
        if specs.get("hw:emulator_threads_policy") == "isolate":
            amounts["PCPU"] += 1
    elif policy == "mixed":
        dedicated = _size_of_mask(specs.get("hw:cpu_dedicated_mask", ""), sizes.vcpus)
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
    """Return how many processors a mask such as 0-3,^1 names."""
    named, excluded = set(), set()
    for part in filter(None, (each.strip() for each in mask.split(","))):
        numbers = part.removeprefix("^").split("-")
        if not all(each.isdecimal() for each in numbers):
            continue
        found = range(int(numbers[0]), min(int(numbers[-1]), vcpus - 1) + 1)
        (excluded if part.startswith("^") else named).update(found)
    return len(named - excluded)


def _traits(specs):
    """Return the traits that other specs than those of traits ask for."""
    found = []
    if specs.get("hw:cpu_policy") in ("dedicated", "mixed"):
        found.append(_HYPERTHREADING.get(specs.get("hw:cpu_thread_policy")))
    found.append(_TPM.get(specs.get("hw:tpm_version")))
    return list(filter(None, found))


def _take(groups, key, value):
    """Add what a spec asks for to the groups. Return whether nothing about it is left out."""
    match = _SPEC.fullmatch(key)
    if match is None:
        prefix, colon, _ = key.partition(":")
        return key == "group_policy" or bool(colon and prefix in _OF_NO_REQUEST)
    kind, suffix, name = match.groups()
    amounts, traits = groups.setdefault(suffix, ({}, []))
    if kind == "resources" and value.isdecimal():
        amounts[name] = int(value)
    elif kind == "trait" and value in _TRAIT:
        traits.append(_TRAIT[value] + name)
    else:
        return False
    return True


def _pairs(suffix, amounts, traits):
    asked = ",".join(f"{name}:{amount}" for name, amount in amounts.items() if amount)
    pairs = [(f"resources{suffix}", asked), (f"required{suffix}", ",".join(traits))]
    return [pair for pair in pairs if pair[1]]
