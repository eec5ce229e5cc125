"""Answers that any client may read, and that grow with the hosts or instances of a cloud."""

import concurrent.futures
import contextlib
import functools
import uuid

from bench.clouds import cloud
from placement.schemas import common
from tests.deployed.abuse import Row, large_cloud
from tests.deployed.abuse.meter import MEBIBYTE
from tests.deployed.cloud import claim

# Two seconds of CPU time are enough for a list of the whole cloud.
row = functools.partial(large_cloud.row, cpu_seconds=2)

CROWDED = large_cloud.PLAN.flat_hosts[0]
CROWD = cloud.CLAIMS_PER_HOST
# A consumer with allocations from as many hosts as are allowed.
WIDE, SPREAD = "5b000002-0000-4000-8000-000000000001", common.MOST_RESOURCES

CLIENTS = 6


@contextlib.contextmanager
def deployment():
    crowd = large_cloud.PLAN.claims_on(CROWDED, CROWD)
    with large_cloud.deployment(crowd) as running:
        hosts = large_cloud.PLAN.flat_hosts[:SPREAD]
        spread = claim({host.uuid: {"DISK_GB": 1} for host in hosts})
        running.client.make("PUT", f"/allocations/{WIDE}", spread)
        yield running


def candidates(clients, query):
    """Return a function that lets several clients ask at once, and returns the largest answer."""

    def send(running):
        def ask(_):
            answer = running.client.ask("GET", f"/allocation_candidates?{query}")
            return len(answer.content), answer.status_code

        with concurrent.futures.ThreadPoolExecutor(clients) as threads:
            size, status = max(threads.map(ask, range(clients)))
        return f"{status}: {size / MEBIBYTE:.0f} MiB"

    return send


def aggregates(count):
    return "member_of=in:" + ",".join(str(uuid.UUID(int=n)) for n in range(count))


THIRTY = large_cloud.groups(30, "VCPU:1")

ROWS = [
    Row(title="candidates for 30 groups, no limit", send=candidates(1, THIRTY),
        # No answer is larger than max_candidates_size.
        answer=r"400: 0 MiB|200: [1-6]?\d MiB", cpu_seconds=2),
    Row(title="candidates for 30 groups, limit=17000", send=candidates(1, f"{THIRTY}&limit=17000"),
        answer=r"400: 0 MiB|200: [1-6]?\d MiB", cpu_seconds=3, mebibytes=150),
    Row(title=f"{CLIENTS} clients that ask for 30 groups at once",
        send=candidates(CLIENTS, f"{THIRTY}&limit=17000"),
        answer=r"400: 0 MiB|200: [1-6]?\d MiB", cpu_seconds=CLIENTS * 3, mebibytes=400),
    row("a list of all providers", "200", "/resource_providers"),
    row("a list by three classes", "200",
        "/resource_providers?resources=VCPU:1,MEMORY_MB:1,DISK_GB:1"),
    row("a list by 600 unknown traits", "400",
        f"/resource_providers?{large_cloud.unknown_traits(600)}"),
    row("a list by 400 aggregates", "200", f"/resource_providers?{aggregates(400)}"),
    row("the usage of a project", "200", f"/usages?project_id={cloud.PROJECTS[0]}"),
    row(f"a host of {CROWD:,} consumers", "200",
        f"/resource_providers/{CROWDED.uuid}/allocations"),
    row(f"a consumer on {SPREAD:,} hosts", "200", f"/allocations/{WIDE}"),
    row(f"{large_cloud.TRAITS:,} traits", "200", "/traits"),
]  # fmt: skip
