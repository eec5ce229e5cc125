"""What operators ask about a large cloud: short questions whose cost grows with its hosts."""

import contextlib
import dataclasses
import functools
import itertools
import json
import os
import socket
import string
import tempfile
import time
import urllib.parse
import uuid

from bench.clouds import cloud
from tests.deployed.abuse import Row, large_cloud
from tests.deployed.abuse.large_cloud import groups, trait, unknown_traits
from tests.deployed.abuse.meter import Meter

# Enough for every question that an honest operator of so large a cloud asks.
CPU_SECONDS = 2
row = functools.partial(large_cloud.row, cpu_seconds=CPU_SECONDS)
ALL = "/operator/providers"
EMPTYING = "/operator/evacuation"

CLIENTS_THAT_HANG_UP = 40
# When the clients hang up: before the answer begins, while it is written, when it is complete.
PATIENCE_SECONDS = (0.1, 0.2, 0.3, 0.4)
# How much CPU time all workers together may still spend on the requests of clients that hung up.
# Other programs on the machine do not count.
LEFT_CPU_SECONDS = 1


# As many flavors as a large public cloud has.
FLAVORS = 500


@contextlib.contextmanager
def deployment():
    """Give the Service of a large cloud, with a file of flavors."""
    with tempfile.NamedTemporaryFile("w") as file:
        for number in range(FLAVORS):
            file.write(f"flavor-{number} VCPU:{1 + number % 64},MEMORY_MB:1024\n")
        file.flush()
        with large_cloud.deployment(metrics__flavors=file.name) as service:
            yield service


def distinct(count):
    asked = [f"resources{number}=VCPU:{number + 1}" for number in range(count)]
    return "&".join([*asked, "group_policy=none"])


# The request that nova sends for a large flavor.
INSTANCE = (
    "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40"
    f"&required={trait(1)},{trait(2)},{trait(3)},!{trait(4)},!{trait(5)}"
    f"&member_of=in:{uuid.UUID(int=1)},{uuid.UUID(int=2)}&member_of={uuid.UUID(int=3)}"
    "&resources1=PGPU:1&resources2=PGPU:1&group_policy=isolate"
)


def trees(count):
    asked = [f"resources{n}=VCPU:1&in_tree{n}={uuid.UUID(int=n + 1)}" for n in range(count)]
    return "&".join([*asked, "group_policy=none"])


def hosts(count):
    return "&".join(f"host=host-{number:06}" for number in range(count))


def patterns(count):
    """Return this many patterns, each of which matches one of the cloud's traits."""
    return "&".join(f"keep=*{number:04}?OF*" for number in range(count))


def posted(path, title, answer, document):
    """Return the Row of a POST; the answer is a status."""
    body = json.dumps(document).encode()

    def send(running):
        return running.request("POST", path, body)

    return Row(title=title, send=send, answer=answer, cpu_seconds=CPU_SECONDS)


translation = functools.partial(posted, "/operator/query")


def mix(title, queries, count=1):
    """Return the Row of a mix of queries, with how many times each should fit."""
    requests = [
        {"name": str(number), "query": query, "count": count}
        for number, query in enumerate(queries)
    ]
    row_of_mix = posted("/operator/fit", title, "200|400", {"requests": requests})
    # The bodies may be ten megabytes long.
    return dataclasses.replace(row_of_mix, mebibytes=150)


def form(groups, resources, **fields):
    """Return a form with a number of groups, each with a number of amounts and these fields."""
    amounts = [[f"CUSTOM_{number}", "1"] for number in range(resources)]
    return {
        "form": {
            "groups": [
                {"suffix": f"_{number}", "resources": amounts, "fields": fields}
                for number in range(groups)
            ],
            "fields": {},
        }
    }


def hang_up(path, body=b"", **headers):
    """Return a function that lets many clients hang up, and returns how many files are left.

    They send a POST if there is a body.
    """
    headers = {"Host": "a", "X-Auth-Token": "admin"} | headers
    if body:
        headers |= {"Content-Type": "application/json", "Content-Length": len(body)}

    def send(running):
        given = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        request = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\n{given}\r\n"
        address = urllib.parse.urlsplit(running.url)
        for number in range(CLIENTS_THAT_HANG_UP):
            with socket.create_connection((address.hostname, address.port)) as client:
                client.sendall(request.encode() + body)
                time.sleep(PATIENCE_SECONDS[number % len(PATIENCE_SECONDS)])
        with Meter(running.workers) as meter:
            meter.wait_until_idle(LEFT_CPU_SECONDS)
        left = meter.cost.cpu_seconds
        assert left < LEFT_CPU_SECONDS, f"They went on for {left:.2f} s."
        status = running.request("GET", "/resource_providers?name=none")
        return f"{status}, files left: {sum(map(files_without_name, running.workers))}"

    return send


def files_without_name(process):
    """Return how many deleted files a process has open, except the one that gunicorn gives it."""
    directory = f"/proc/{process.pid}/fd"
    names = []
    for each in os.listdir(directory):
        with contextlib.suppress(FileNotFoundError):
            names.append(os.readlink(f"{directory}/{each}"))
    return sum(name.endswith("(deleted)") and "wgunicorn" not in name for name in names)


LETTERS = string.ascii_lowercase
MANY_PARAMETERS = "&".join(map("".join, itertools.product(LETTERS, repeat=3)))[:65536]
MANY_GROUPS = "&".join(f"resources{n}=A:1" for n in range(3000))
MANY_SPECS = " ".join(f"resources{n}:A=1" for n in range(3000))
MANY_LABELS = "hw:pmem=" + ",".join(f"{n:x}" for n in range(13_000))

ROWS = [
    row("why: 300 groups of VCPU:99999", "400",
        f"/operator/explanation?{groups(300, 'VCPU:99999')}"),
    row("why: 108 groups in unknown trees", "200|400", f"/operator/explanation?{trees(108)}"),
    row("why: 300 unknown traits", "200|400",
        f"/operator/explanation?resources=VCPU:1&{unknown_traits(300)}"),
    row("why: 600 unknown traits", "200|400",
        f"/operator/explanation?resources=VCPU:1&{unknown_traits(600)}"),
    row("why: 30 groups, isolate", "200|400",
        f"/operator/explanation?{groups(30, 'VCPU:1', 'isolate')}"),
    row("why: 300 groups of VCPU:1", "200|400", f"/operator/explanation?{groups(300, 'VCPU:1')}"),
    row("why: 30 groups", "200|400", f"/operator/explanation?{groups(30, 'VCPU:1')}"),
    row("why: 10 groups, isolate", "200|400",
        f"/operator/explanation?{groups(10, 'VCPU:1', 'isolate')}"),
    row("why: an instance with two cards", "200", f"/operator/explanation?{INSTANCE}"),
    row("why: 40 groups of different amounts", "200|400", f"/operator/explanation?{distinct(40)}"),
    row("why: three classes", "200",
        "/operator/explanation?resources=VCPU:5,MEMORY_MB:99999999,DISK_GB:1"),
    row("fit: 300 groups of VCPU:99999", "400", f"/operator/fit?{groups(300, 'VCPU:99999')}"),
    row("fit: 30 groups", "200|400", f"/operator/fit?{groups(30, 'VCPU:1')}"),
    row("fit: an instance with two cards", "200", f"/operator/fit?{INSTANCE}"),
    row("fit: 40 groups of different amounts", "200|400", f"/operator/fit?{distinct(40)}"),
    row("fit: 9,000 more hosts, with nine providers each", "400",
        "/operator/fit?resources=VCPU:1&resources1=PGPU:1&resources2=PGPU:1&group_policy=isolate"
        "&add=wide-00001:9000"),
    row("fit: three classes", "200", "/operator/fit?resources=VCPU:5,MEMORY_MB:1024,DISK_GB:1"),
    row("providers with 100 unknown traits", "400", f"{ALL}?{unknown_traits(100)}"),
    row("all providers", "200", ALL),
    row("all providers, with consumers", "200", f"{ALL}?consumers=true"),
    row("capacity by class", "200", "/operator/capacity?top=1000"),
    row("capacity by aggregate", "200", "/operator/capacity?by=aggregate&top=1000"),
    row("capacity by trait", "200", "/operator/capacity?by=trait&top=1000"),
    row("the longest history", "200", "/operator/capacity/history?since=99999w"),
    row("capacity by project", "200", "/operator/capacity?by=project&top=1000"),
    row("capacity by consumer type", "200", "/operator/capacity?by=consumer_type&top=1000"),
    row("a text that many names begin with", "200", "/operator/find?q=h"),
    row("a text that traits have", "200", "/operator/find?q=_"),
    row("a text that is in no name", "200", f"/operator/find?q={'z' * 255}"),
    row("the audit", "200", "/operator/audit"),
    row("the service", "200", "/operator/service"),
    mix("a mix of 1,000 amounts", [f"resources=VCPU:{n + 1}" for n in range(1000)]),
    mix("a mix of a million claims", ["resources=VCPU:1"], 1_000_000),
    mix("a mix of 300 groups, ten times", [groups(300, "VCPU:1")] * 10, 1000),
    mix("a mix of 150 queries of unknown parameters", [MANY_PARAMETERS] * 150),
    mix("a mix of 150 queries of unknown traits",
        [f"resources=VCPU:1&{unknown_traits(2500)}"] * 150),
    row("10,000 changes", "200", "/operator/changes?limit=10000"),
    row("10,000 changes in sentences", "200",
        "/operator/changes?order=newest&sentences=true&limit=10000"),
    row("the history of the capacity", "200", "/operator/capacity/history?since=99999w"),
    row("names that begin with a digit", "200", "/operator/find?q=1"),
    row("names that have an underscore", "200", "/operator/find?q=_"),
    posted("/operator/names", "the names of 10,000 ids", "200",
           {"ids": [str(uuid.UUID(int=number)) for number in range(10_000)]}),
    row("the flavors", "200", "/operator/flavors"),
    row("emptying a host", "200", f"{EMPTYING}?{hosts(1)}"),
    row("emptying a host, with 800 patterns", "200|400", f"{EMPTYING}?{hosts(1)}&{patterns(800)}"),
    row("emptying 900 hosts", "200|400", f"{EMPTYING}?{hosts(900)}"),
    row("emptying an aggregate", "200|400", f"{EMPTYING}?aggregate={cloud.AGGREGATE}"),
    row("emptying an aggregate into the same aggregates", "200|400",
        f"{EMPTYING}?aggregate={cloud.AGGREGATE}&same_aggregate=true"),
    row("losing each host", "200|400", "/operator/survival"),
    row("losing each aggregate", "200|400", "/operator/survival?by=aggregate"),
    row("who would have to go", "200|400", "/operator/release?resources=VCPU:64"),
    row("who would have to go for 30 groups", "200|400",
        f"/operator/release?{groups(30, 'VCPU:1')}&top=1000"),
    translation("a query of 16,000 unknown parameters", "200", {"query": MANY_PARAMETERS}),
    translation("a query of 3,000 groups", "200", {"query": MANY_GROUPS}),
    translation("a text of 3,000 groups", "200", {"text": MANY_SPECS}),
    translation("a text of 13,000 labels", "200", {"text": MANY_LABELS}),
    translation("a text of question marks", "400", {"text": "?" * 65536}),
    translation("a form of 1,000 groups", "200", form(1000, 1)),
    translation("a form of 500,000 amounts", "400", form(1000, 500)),
    translation("a form with four million traits", "400", form(120, 1, required="T," * 32768)),
    *(
        Row(
            title=f"{CLIENTS_THAT_HANG_UP} clients that ask for {what} and hang up",
            send=hang_up(path, **headers), answer="200, files left: 0",
            # A worker begins to answer four of them at once.
            cpu_seconds=CLIENTS_THAT_HANG_UP * 0.5, mebibytes=200,
        )
        for what, path, headers in (
            ("all providers", ALL, {}),
            ("all providers with consumers", f"{ALL}?consumers=true", {}),
            ("all providers, compressed,", ALL, {"Accept-Encoding": "gzip"}),
            ("a part of them", ALL, {"Range": "bytes=1-9999999"}),
            ("groups that must be apart",
             f"/operator/explanation?{groups(30, 'VCPU:1', 'isolate')}", {}),
            ("the audit", "/operator/audit", {}),
            ("the capacity by trait", "/operator/capacity?by=trait", {}),
            ("a fit of groups", f"/operator/fit?{groups(30, 'VCPU:1')}", {}),
            ("a plan for emptying an aggregate",
             f"{EMPTYING}?aggregate={cloud.AGGREGATE}", {}),
            ("what cannot be spared", "/operator/survival", {}),
            ("the flavors", "/operator/flavors", {}),
            ("who would have to go", "/operator/release?resources=VCPU:64", {}),
            ("a translation", "/operator/query",
             {"body": json.dumps({"query": MANY_PARAMETERS}).encode()}),
        )
    ),
]  # fmt: skip
