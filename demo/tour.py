"""What to try in the demo cloud: commands for a shell, each with what to look for."""

from typing import NamedTuple

from demo import cloud


class Stop(NamedTuple):
    """A command, which may be a pipe, and what it shows."""

    title: str
    command: str
    look_for: str


GPU_FLAVOR = (
    "resources=DISK_GB:80"
    "&resources_CPU=VCPU:8,MEMORY_MB:32768"
    f"&resources_GPU=PGPU:1&required_GPU={cloud.GPU_TRAIT}"
    "&group_policy=none&same_subtree=_CPU,_GPU"
)

STOPS = (
    Stop(
        "A host as a tree",
        f"placement '/resource_providers?in_tree={cloud.uuid_of('b1')}'"
        """ | grep -E '"(uuid|name|parent_provider_uuid)"'""",
        "b1 has two NUMA nodes, and its GPUs hang below the first: see parent_provider_uuid.",
    ),
    Stop(
        "Hosts that have 8 GiB of memory left, in rack A",
        "placement '/resource_providers?resources=MEMORY_MB:8192"
        f"&member_of={cloud.uuid_of('rack-a')}' | grep name",
        "There are eight hosts, a1 to a8. The one that is missing is nearly full.",
    ),
    Stop(
        "Places for an instance, in rack C",
        "placement '/allocation_candidates?resources=VCPU:2,MEMORY_MB:4096,DISK_GB:40"
        f"&member_of={cloud.uuid_of('rack-c')}&limit=1'",
        "The host has no disk: the candidate takes that from a provider that the rack shares.",
    ),
    Stop(
        "How many more of these",
        "placement '/operator/fit?resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40' | grep '^    \"fit'",
        "How often that can be claimed. Without the grep, host by host, with what stops it.",
    ),
    Stop(
        "Why there is no place for an instance with a GPU",
        f"placement '/operator/explanation?{GPU_FLAVOR}' | grep -A 20 relaxations",
        "The summary counts; the relaxation names the host that has all but a trait. A mistake?",
    ),
)


_FUNCTION = """\
    placement() {{
        curl -sS --fail-with-body "{url}$1" "${{@:2}}" -H 'X-Auth-Token: admin' \\
            -H 'OpenStack-API-Version: placement 1.39' | python3 -m json.tool
    }}
"""


def text(url):
    """Return the tour of a server; its commands are ready to be pasted into a shell."""
    stops = (
        f"{number}. {stop.title}:\n\n    {stop.command}\n\n   {stop.look_for}\n"
        for number, stop in enumerate(STOPS, start=1)
    )
    return f"Paste this once, to save typing:\n\n{_FUNCTION.format(url=url)}\n" + "\n".join(stops)
