"""What operators ask about a large cloud: short questions whose cost grows with its hosts."""

import contextlib
import os
import socket
import time
import urllib.parse
import uuid

import sqlalchemy as sa

from bench import loader
from bench.clouds import cloud
from placement.db import engine, tables
from tests.deployed.abuse import Row, service

# 11,420 hosts of 20,780 providers.
PLAN = cloud.Cloud(10_000, 1000, 420)
TRAITS = 2000
# Enough for all that an honest operator of so large a cloud asks.
CPU_SECONDS = 2
ALL = "/operator/providers"

# Explanations examine only one of several equal hosts, so hardly any two have the same left.
_inventories = tables.inventories
_UNLIKE_MOST_OTHERS = {
    field: _inventories.c[field] + _inventories.c.resource_provider_id * 7919 % 10007
    for field in ("total", "capacity", "max_unit")
}

CLIENTS_THAT_HANG_UP = 40
# They hang up before an answer begins, while it is written, and when it is complete.
PATIENCE_SECONDS = (0.1, 0.2, 0.3, 0.4)


@contextlib.contextmanager
def deployment():
    # As in the shipped configuration, so that a question may be just as long.
    with service.running(["--limit-request-line", "8190"]) as running:
        database = engine.connect(running.database_url)
        with database.writer() as conn:
            conn.execute(sa.insert(tables.traits), [{"name": trait(n)} for n in range(TRAITS)])
        loader.load(running.database_url, PLAN, [])
        with database.writer() as conn:
            conn.execute(sa.update(_inventories).values(_UNLIKE_MOST_OTHERS))
        database.engine.dispose()
        yield running


def trait(number):
    return f"CUSTOM_RACK_{number:05}_OF_FLASH"


def row(title, answer, path, **bounds):
    """Return the Row of a single request; the answer is a status."""

    def send(running):
        return running.request("GET", path)

    return Row(title=title, send=send, answer=answer, **{"cpu_seconds": CPU_SECONDS} | bounds)


def groups(count, amount, policy="none"):
    asked = [f"resources{number}={amount}" for number in range(count)]
    return "&".join([*asked, f"group_policy={policy}"])


def distinct(count):
    asked = [f"resources{number}=VCPU:{number + 1}" for number in range(count)]
    return "&".join([*asked, "group_policy=none"])


# As nova asks for a large flavor.
INSTANCE = (
    "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40"
    f"&required={trait(1)},{trait(2)},{trait(3)},!{trait(4)},!{trait(5)}"
    f"&member_of=in:{uuid.UUID(int=1)},{uuid.UUID(int=2)}&member_of={uuid.UUID(int=3)}"
    "&resources1=PGPU:1&resources2=PGPU:1&group_policy=isolate"
)


def trees(count):
    asked = [f"resources{n}=VCPU:1&in_tree{n}={uuid.UUID(int=n + 1)}" for n in range(count)]
    return "&".join([*asked, "group_policy=none"])


def unknown_traits(count):
    return "required=" + ",".join(f"CUSTOM_RACK_{n:03}_FLUSH" for n in range(count))


def hang_up(path, **headers):
    """Return a function that lets many clients hang up, and returns how many files are left."""

    def send(running):
        given = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        request = f"GET {path} HTTP/1.1\r\nHost: a\r\nX-Auth-Token: admin\r\n{given}\r\n"
        address = urllib.parse.urlsplit(running.url)
        for number in range(CLIENTS_THAT_HANG_UP):
            with socket.create_connection((address.hostname, address.port)) as client:
                client.sendall(request.encode())
                time.sleep(PATIENCE_SECONDS[number % len(PATIENCE_SECONDS)])
        # Each worker is free again within a second.
        time.sleep(1)
        status = running.request("GET", "/resource_providers?name=none")
        return f"{status}, files left: {sum(map(files_without_name, running.workers))}"

    return send


def files_without_name(process):
    """Return how many such files a process has open, apart from the one that gunicorn gives it."""
    directory = f"/proc/{process.pid}/fd"
    names = []
    for each in os.listdir(directory):
        with contextlib.suppress(FileNotFoundError):
            names.append(os.readlink(f"{directory}/{each}"))
    return sum(name.endswith("(deleted)") and "wgunicorn" not in name for name in names)


ROWS = [
    row("why: 300 groups of VCPU:99999", "400",
        f"/operator/explanation?{groups(300, 'VCPU:99999')}"),
    row("why: 108 groups in unknown trees", "200|400", f"/operator/explanation?{trees(108)}"),
    row("why: 300 unknown traits", "200|400",
        f"/operator/explanation?resources=VCPU:1&{unknown_traits(300)}"),
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
    row("fit: 9,000 hosts more, with nine providers each", "400",
        "/operator/fit?resources=VCPU:1&resources1=PGPU:1&resources2=PGPU:1&group_policy=isolate"
        "&add=wide-00001:9000"),
    row("fit: three classes", "200", "/operator/fit?resources=VCPU:5,MEMORY_MB:1024,DISK_GB:1"),
    row("providers with 100 unknown traits", "400", f"{ALL}?{unknown_traits(100)}"),
    *(
        Row(
            title=f"{CLIENTS_THAT_HANG_UP} clients that ask for {what} and hang up",
            send=hang_up(path, **headers), answer="200, files left: 0",
            cpu_seconds=CLIENTS_THAT_HANG_UP * 0.5,
        )
        for what, path, headers in (
            ("all providers", ALL, {}),
            ("all providers, compressed,", ALL, {"Accept-Encoding": "gzip"}),
            ("a part of them", ALL, {"Range": "bytes=1-9999999"}),
            ("groups that must be apart",
             f"/operator/explanation?{groups(30, 'VCPU:1', 'isolate')}", {}),
            ("the audit", "/operator/audit", {}),
            ("the capacity by trait", "/operator/capacity?by=trait", {}),
        )
    ),
]  # fmt: skip
