"""Queries for allocation candidates: a few hundred characters that cause a lot of work."""

import concurrent.futures
import contextlib
import json
import uuid

import requests

from tests.deployed.abuse import Row, service

HOSTS = 200
DEVICES = 8
DISKS = 40
AGGREGATES = 20

CLIENTS_THAT_HANG_UP = 16
PATIENCE_SECONDS = 1


@contextlib.contextmanager
def deployment():
    """200 hosts of 8 devices, each a little larger than the one before, and 40 shared disks."""
    with service.running() as running:
        inventories = {}
        for number in range(HOSTS):
            host = provider(running, f"host-{number}")
            join(running, host, 0, number)
            for number_of_device in range(DEVICES):
                device = provider(running, f"host-{number}-{number_of_device}", host)
                inventories[device] = inventory(0, {"PGPU": 1, "VGPU": 16 + number_of_device})
        for number in range(DISKS):
            disk = provider(running, f"disk-{number}")
            join(running, disk, 0, number)
            body = {"traits": ["MISC_SHARES_VIA_AGGREGATE"], "resource_provider_generation": 1}
            running.client.make("PUT", f"/resource_providers/{disk}/traits", body)
            inventories[disk] = inventory(2, {"DISK_GB": 1000})
        # One request for all of them takes a fraction of the time.
        body = json.dumps({"inventories": inventories, "allocations": {}}).encode()
        assert running.request("POST", "/reshaper", body, X_Roles="admin,service") == "204"
        yield running


def provider(running, name, parent=None):
    """Create a provider, and return its uuid."""
    made = str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
    body = {"name": name, "uuid": made, "parent_provider_uuid": parent}
    running.client.make("POST", "/resource_providers", body)
    return made


def join(running, member, generation, number):
    """Put a provider into one of the aggregates."""
    aggregates = [str(uuid.UUID(int=number % AGGREGATES + 1))]
    body = {"aggregates": aggregates, "resource_provider_generation": generation}
    running.client.make("PUT", f"/resource_providers/{member}/aggregates", body)


def inventory(generation, totals):
    return {
        "inventories": {class_name: {"total": total} for class_name, total in totals.items()},
        "resource_provider_generation": generation,
    }


def row(title, answer, query, **bounds):
    """Return the Row of a single query; the answer is a status and a number of candidates."""

    def send(running):
        found = running.client.ask("GET", f"/allocation_candidates?{query}")
        requests_found = found.json().get("allocation_requests", ())
        return f"{found.status_code}: {len(requests_found):,}"

    return Row(title=title, send=send, answer=answer, **bounds)


def groups(amounts, policy):
    asked = [f"resources{number}={amount}" for number, amount in enumerate(amounts, start=1)]
    return "&".join([*asked, f"group_policy={policy}"])


def pairs(count, policy):
    """Return a query for pairs of groups, each pair in a subtree of its own.

    Devices have no children, so both groups of a pair need the same device.
    """
    asked = [f"resources_{side}{n}=PGPU:1" for n in range(count) for side in "ab"]
    subtrees = [f"same_subtree=_a{n},_b{n}" for n in range(count)]
    return "&".join([*asked, *subtrees, f"group_policy={policy}"])


def slices(count):
    return [f"VGPU:{11 + number % 6}" for number in range(count)]


def hang_up(query):
    """Return a function that lets many clients send a query at once, and hang up."""

    def send(running):
        def ask(_):
            with contextlib.suppress(requests.Timeout):
                requests.get(
                    f"{running.url}/allocation_candidates?{query}",
                    headers={"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"},
                    timeout=PATIENCE_SECONDS,
                )

        with concurrent.futures.ThreadPoolExecutor(CLIENTS_THAT_HANG_UP) as clients:
            list(clients.map(ask, range(CLIENTS_THAT_HANG_UP)))
        return running.request("GET", "/resource_providers?name=none")

    return send


ROWS = [
    *(
        row(f"{count} pairs of same_subtree, {policy}, limit=1", "200: 0",
            f"{pairs(count, policy)}&limit=1")
        for count in (1, 4, 5, 6, 8)
        for policy in ("isolate", "none")
    ),
    row("10 slices of 11 to 16, none, limit=1", "200: 0", groups(slices(10), "none") + "&limit=1"),
    row("18 slices of 11 to 16, none, limit=1", "200: 0", groups(slices(18), "none") + "&limit=1"),
    row("4 devices, isolate, limit=1000", "200: 1,000",
        groups(["PGPU:1"] * 4, "isolate") + "&limit=1000"),
    row("8 devices, isolate, limit=1000", "200: 1,000",
        groups(["PGPU:1"] * 8, "isolate") + "&limit=1000"),
    row("9 devices, isolate, limit=1", "200: 0", groups(["PGPU:1"] * 9, "isolate") + "&limit=1"),
    # These two answers are 48 and 55 MB long.
    row("4 devices, isolate, no limit", "200: 100,000", groups(["PGPU:1"] * 4, "isolate"),
        cpu_seconds=3, mebibytes=150),
    row("8 devices, isolate, limit=60000", "200: 60,000",
        groups(["PGPU:1"] * 8, "isolate") + "&limit=60000", cpu_seconds=5, mebibytes=150),
    row("8 devices, isolate, no limit", "400: 0", groups(["PGPU:1"] * 8, "isolate"),
        cpu_seconds=3),
    row("150 equal groups, limit=1", "200: 1",
        groups(["VGPU:1"] * 150, "none") + "&limit=1"),
    row("200 equal groups, limit=1", "200: 0",
        groups(["VGPU:1"] * 200, "none") + "&limit=1"),
    row("200 groups of three amounts, limit=1", "200: 0",
        groups([f"VGPU:{1 + n % 3}" for n in range(200)], "none") + "&limit=1"),
    row("two shared disks, no limit", "200: 80", groups(["DISK_GB:1"] * 2, "none")),
    Row(
        title=f"{CLIENTS_THAT_HANG_UP} clients that ask for 8 devices and hang up after a second",
        send=hang_up(groups(["PGPU:1"] * 8, "isolate")), answer="200", cpu_seconds=5,
    ),
]  # fmt: skip
