"""Bodies that are within the size limit, and bodies that need not be read at all."""

import contextlib
import json

import sqlalchemy as sa

from placement.db import engine, tables
from tests.deployed.abuse import Row, service

HOST = "5b000001-0000-4000-8000-000000000001"
OTHER = "5b000001-0000-4000-8000-000000000002"
PATH = f"/resource_providers/{HOST}"
CHUNKED = {"Transfer_Encoding": "chunked"}
NO_TOKEN = {"X_Auth_Token": None}
RESHAPING = {"X_Roles": "admin,service"}
NO_ROLE = {"X_Auth_Token": "ada"}


@contextlib.contextmanager
def deployment():
    with service.running() as running:
        for uuid in (HOST, OTHER):
            running.client.make("POST", "/resource_providers", {"name": uuid, "uuid": uuid})
        _add_roots(running.database_url, ROOTS)
        yield running


def _add_roots(database_url, roots):
    """Add thousands of providers that have nothing. Over HTTP that would be slow."""
    database = engine.connect(database_url)
    ids = range(FIRST_ROOT_ID, FIRST_ROOT_ID + len(roots))
    with database.writer() as conn:
        conn.execute(
            sa.insert(tables.resource_providers),
            [
                {"id": key, "uuid": uuid, "name": uuid, "generation": 0, "root_provider_id": key}
                for key, uuid in zip(ids, roots, strict=True)
            ],
        )
    database.engine.dispose()


def row(title, answer, method, path, body, *headers, **bounds):
    """Return the Row of a single request. A `body` that is not bytes is written as JSON.

    `bounds` are fields of the Row.
    """
    if not isinstance(body, bytes):
        body = json.dumps(body, separators=(",", ":")).encode()
    given = {name: value for some in headers for name, value in some.items()}

    def send(running):
        return running.request(method, path, body, **given)

    return Row(title=title, send=send, answer=answer, **{"mebibytes": 150} | bounds)


def chunks(count):
    """Return the body of a chunked request: this many chunks of one byte."""
    return b"1\r\n1\r\n" * count + b"0\r\n\r\n"


def uuids(count, prefix="5b000002"):
    return [f"{prefix}-0000-4000-8000-{number:012}" for number in range(count)]


def traits(names):
    return {"traits": names, "resource_provider_generation": 0}


def aggregates(count):
    return {"aggregates": uuids(count), "resource_provider_generation": 0}


def inventories(values):
    return {"inventories": values, "resource_provider_generation": 0}


def classes(count, prefix=""):
    return {f"{prefix}C{number}": {"total": 1} for number in range(count)}


def consumer(allocations=(), **given):
    return {
        "allocations": {provider: {"resources": each} for provider, each in allocations},
        "project_id": "p",
        "user_id": "u",
        "consumer_type": "T",
        "consumer_generation": None,
    } | given


def reshape(inventories=None, consumers=None):
    return {"inventories": inventories or {HOST: INVENTORY}, "allocations": consumers or {}}


def reshape_of(count, classes_of):
    return reshape({each: inventories(classes_of(each)) for each in uuids(count)})


ROOTS = uuids(10_000, "5b000003")
FIRST_ROOT_ID = 1000
AMOUNTS = {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 10}
SERVER = inventories(
    {
        name: {
            "total": 100_000,
            "reserved": 16,
            "min_unit": 1,
            "max_unit": 1000,
            "step_size": 1,
            "allocation_ratio": 1.5,
        }
        for name in AMOUNTS
    }
)
LAST = uuids(198)[-1]
VCPU = {"VCPU": 1}
INVENTORY = inventories({"VCPU": {"total": 100}})

ROWS = [
    row("traits: 2,000,000 times A", "400", "PUT", f"{PATH}/traits", traits(["A"] * 2_000_000)),
    row("traits: 1,000,000 times A", "400", "PUT", f"{PATH}/traits", traits(["A"] * 1_000_000)),
    row("traits: 10,000 that are unknown", "400", "PUT", f"{PATH}/traits",
        traits([f"CUSTOM_{number}" for number in range(10_000)])),
    row("traits: 900,000 times U+0000", "400", "PUT", f"{PATH}/traits",
        traits(["\0"] * 900_000)),
    row("inventories: 300,000 unknown classes", "400", "PUT", f"{PATH}/inventories",
        inventories(classes(300_000))),
    row("inventories: a class of 8,000,000 <", "400", "PUT", f"{PATH}/inventories",
        inventories({"<" * 8_000_000: {"total": 1}})),
    row("aggregates: 200,000", "400", "PUT", f"{PATH}/aggregates", aggregates(200_000)),
    row("aggregates: 10,000 that are new", "200", "PUT", f"/resource_providers/{OTHER}/aggregates",
        aggregates(10_000)),
    row("claims: 40,000 consumers", "400", "POST", "/allocations",
        {each: consumer([(HOST, VCPU)]) for each in uuids(40_000)}),
    row("claims: 10,000 consumers of unknown providers", "400", "POST", "/allocations",
        {each: consumer([(each, VCPU)], user_id=each) for each in uuids(10_000)}),
    row("claims: 40,000 that claim nothing", "400", "POST", "/allocations",
        {each: consumer(user_id=each) for each in uuids(40_000)}),
    row("claims: 10,000 that claim nothing, each of its own user", "204", "POST", "/allocations",
        {each: consumer(user_id=each) for each in uuids(10_000)}),
    row("claims: 100,000 unknown classes of 100 providers", "400", "POST", "/allocations",
        {HOST: consumer((each, {f"C{each[-3:]}{number}": 1 for number in range(1000)})
                        for each in uuids(100))}),
    row("claims: 700,000 classes", "400", "POST", "/allocations",
        {HOST: consumer((each, {f"C{number}": 1 for number in range(1000)})
                        for each in uuids(700))}),
    row("claims: 700,000 classes of one provider", "400", "PUT", f"/allocations/{HOST}",
        consumer([(HOST, {f"C{number}": 1 for number in range(700_000)})])),
    row("claims: 150,000 keys in mappings", "400", "PUT", f"/allocations/{HOST}",
        consumer(mappings={f"_{number}": [HOST] for number in range(150_000)})),
    row("claims: 150,000 keys in the mappings of 150 consumers", "204", "POST", "/allocations",
        {each: consumer(mappings={f"_{number}": [HOST] for number in range(1000)})
         for each in uuids(150)}),
    row("reshape: 20,000 claims on an unknown provider", "400", "POST", "/reshaper",
        reshape(consumers={each: consumer([(LAST, VCPU)]) for each in uuids(20_000)}), RESHAPING),
    # An honest request: nearly all of its time is spent on four statements for each server.
    row("reshape: 10,000 servers with a consumer each", "204", "POST", "/reshaper",
        reshape(
            dict.fromkeys(ROOTS, SERVER),
            {
                each: consumer([(root, AMOUNTS)])
                for each, root in zip(uuids(10_000), ROOTS, strict=True)
            },
        ),
        RESHAPING, cpu_seconds=30, mebibytes=200),
    row("reshape: 70,000 providers", "400", "POST", "/reshaper",
        reshape_of(70_000, lambda _: {}), RESHAPING),
    row("reshape: 20,000 unknown providers", "400", "POST", "/reshaper",
        reshape_of(20_000, lambda _: classes(5)), RESHAPING),
    row("reshape: 300,000 inventories of 300 providers", "400", "POST", "/reshaper",
        reshape_of(300, lambda _: classes(1000)), RESHAPING),
    row("reshape: 198,000 inventories of 198 providers", "400", "POST", "/reshaper",
        reshape_of(198, lambda _: classes(1000)), RESHAPING),
    row("reshape: 197,000 inventories, and one that is wrong", "400", "POST", "/reshaper",
        reshape_of(198, lambda uuid: classes(1000) if uuid < LAST else {"C": {}}), RESHAPING),
    row("reshape: 198,000 inventories, all of which are wrong", "400", "POST", "/reshaper",
        reshape_of(198, lambda _: {f"C{number}": {"total": 0} for number in range(1000)}),
        RESHAPING),
    row("a provider: 8,000,000 < as its name", "400", "POST", "/resource_providers",
        {"name": "<" * 8_000_000}),
    row("a provider: 1,000 nested arrays as its name", "400", "POST", "/resource_providers",
        b'{"name":%b}' % (b"[" * 1000 + b"]" * 1000)),
    row("a provider: 600,000 unknown keys", "400", "POST", "/resource_providers",
        {f"key{number}": 1 for number in range(600_000)}),
    row("a provider: 420,000 numbers of 18 digits in its name", "400", "POST",
        "/resource_providers", {"name": ("9" * 18 + "x") * 420_000}),
    row("a provider: 8,000,000 opening brackets", "400", "POST", "/resource_providers",
        b"[" * 8_000_000),
    row("a provider: the same key 700,000 times", "400", "POST", "/resource_providers",
        b'{%b"a":1}' % (b'"name":"a",' * 700_000)),
    row("a provider: 1,900 numbers of 4,000 digits as its name", "400", "POST",
        "/resource_providers", b'{"name":[%b1]}' % ((b"9" * 4000 + b",") * 1900)),
    row("without a token: 4,000,000 chunks", "401|closed", "PUT", f"{PATH}/traits",
        chunks(4_000_000), CHUNKED, NO_TOKEN),
    row("without a role: 4,000,000 chunks", "403|closed", "PUT", f"{PATH}/traits",
        chunks(4_000_000), CHUNKED, NO_ROLE),
    row("traits: 4,000,000 chunks", "400|closed", "PUT", f"{PATH}/traits", chunks(4_000_000),
        CHUNKED),
    row("without a token: a version of 8,000 <", "400", "GET", "/", b"",
        NO_TOKEN, {"OpenStack_API_Version": f"placement {'<' * 8000}", "Accept": "text/plain"}),
    row("without a token: 2,000 media types accepted", "401", "GET", "/traits", b"",
        NO_TOKEN, {"Accept": "a/b," * 2000}),
]
