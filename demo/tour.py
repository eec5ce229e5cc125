"""What to try in the demo cloud: shell commands, each with what it shows."""

import textwrap
from typing import NamedTuple

from demo import client, cloud


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

# Where an instance without a GPU would go, in the rack whose hosts have no disk.
PLACES = (
    "/allocation_candidates?resources=VCPU:2,MEMORY_MB:4096,DISK_GB:40"
    f"&member_of={cloud.uuid_of('rack-c')}"
)

STOPS = (
    Stop(
        "A host as a tree",
        f"placement '/resource_providers?in_tree={cloud.uuid_of('b1')}'"
        """ | grep -E '"(uuid|name|parent_provider_uuid)"'""",
        "b1 has two NUMA nodes, and its GPUs are below the first: see parent_provider_uuid.",
    ),
    Stop(
        "Hosts that have 8 GiB of memory left, in rack D",
        "placement '/resource_providers?resources=MEMORY_MB:8192"
        f"&member_of={cloud.uuid_of('rack-d')}' | grep name",
        "Rack D has four hosts, a5 to a8. Three are listed: the missing one is nearly full.",
    ),
    Stop(
        "Places for an instance, in rack C",
        f"placement '{PLACES}&limit=1'",
        "One place, on two providers: the hosts of rack C have no disk, so the processors and the"
        " memory come from a host, and the disk from one that the rack shares.",
    ),
    Stop(
        "How many more instances of one flavor fit",
        "placement '/operator/fit?resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40' | grep '^    \"fit'",
        "This many more could be claimed. Without the grep, the answer lists each host, and what"
        " stops further claims there.",
    ),
    Stop(
        "Why an instance with a GPU does not fit",
        f"placement '/operator/explanation?{GPU_FLAVOR}' | grep -A 14 relaxations",
        "A relaxation is a change that would help: without the trait, b3 would do. Did somebody"
        " forget to set the trait on its GPUs?",
    ),
)


# The README and the tutorial define the same function, with the address of `make serve`.
_FUNCTION = """\
    placement() {{  # PATH [OPTIONS OF CURL]
        curl -sS --fail-with-body "{url}$1" "${{@:2}}" \\
            -H 'X-Auth-Token: admin' -H 'OpenStack-API-Version: placement 1.39' \\
            | python3 -m json.tool --json-lines
    }}
"""


def inventory(url):
    """Return what a server now has, and how to remove it."""
    hosts, nodes = len(cloud.hosts()), len(cloud.bare_metal_nodes())
    return (
        f"{url} now has a small cloud: {hosts} hosts in the racks A (a1 to a4),\nB (b1 to b6),"
        " C (c1 to c6) and D (a5 to a8), a disk that rack C shares,"
        f" {nodes} bare metal nodes,\nand {cloud.INSTANCES} instances on all of that."
        f" Hosts, disk and nodes are the roots of {len(cloud.roots())} trees of"
        "\nresource providers. Answers below /operator count all these roots as hosts."
        f"\n\n'{_removal(url)}' removes it all; the history stays."
    )


def first_query(server):
    """Send a first query to the server of a Client; return it, and what the answer says."""
    found = server.get(PLACES)["allocation_requests"]
    text = (
        "A first query: where in rack C would 2 processors, 4 GiB of memory and 40 GB of disk fit?"
        f"\n\n    GET {PLACES}\n\nThe answer has {len(found)} candidates."
    )
    if not found:
        return text
    parts = []
    for provider, part in found[0]["allocations"].items():
        name = server.get(f"/resource_providers/{provider}")["name"]
        amounts = [f"{amount} {resource}" for resource, amount in part["resources"].items()]
        parts.append(f"{' and '.join(amounts)} from {name}")
    return f"{text} The first takes\n{', '.join(parts)}."


def _removal(url):
    return "make demo-clean" if url == client.DEFAULT_URL else f"make demo-clean BASE_URL={url}"


def page(url):
    """Return where to see the same in a browser, if the server has its page."""
    return f"In a browser: {url}/operator/  (the token is: {client.TOKEN})"


def text(url):
    """Return the tour of a server; its commands are ready to be pasted into a shell."""
    stops = (
        f"{number}. {stop.title}:\n\n    {stop.command}\n\n{_indented(stop.look_for)}\n"
        for number, stop in enumerate(STOPS, start=1)
    )
    return f"Paste this once, to save typing:\n\n{_FUNCTION.format(url=url)}\n" + "\n".join(stops)


def _indented(sentence):
    return textwrap.fill(sentence, 100, initial_indent="   ", subsequent_indent="   ")
