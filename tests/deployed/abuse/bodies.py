"""Bodies that are within the limit of their size, and what need not be read at all."""

import contextlib
import json

from tests.deployed.abuse import Row, service

HOST = "5b000001-0000-4000-8000-000000000001"
PATH = f"/resource_providers/{HOST}"
CHUNKED = {"Transfer_Encoding": "chunked"}
NO_TOKEN = {"X_Auth_Token": None}
NO_ROLE = {"X_Auth_Token": "ada"}


@contextlib.contextmanager
def deployment():
    with service.running() as running:
        running.client.make("POST", "/resource_providers", {"name": "host", "uuid": HOST})
        yield running


def row(title, answer, method, path, body, *headers):
    """Return the Row of a single request. A `body` that is not bytes is written as JSON."""
    if not isinstance(body, bytes):
        body = json.dumps(body, separators=(",", ":")).encode()
    given = {name: value for some in headers for name, value in some.items()}

    def send(running):
        return running.request(method, path, body, **given)

    return Row(title=title, send=send, answer=answer)


def chunks(count):
    """Return the body of a chunked request: so many chunks of one byte."""
    return b"1\r\n1\r\n" * count + b"0\r\n\r\n"


def traits(names):
    return {"traits": names, "resource_provider_generation": 0}


ROWS = [
    row("traits: 10,000 that are unknown", "400", "PUT", f"{PATH}/traits",
        traits([f"CUSTOM_{number}" for number in range(10_000)])),
    row("traits: 900,000 times U+0000", "400", "PUT", f"{PATH}/traits",
        traits(["\0"] * 900_000)),
    row("a provider: 8,000,000 < as its name", "400", "POST", "/resource_providers",
        {"name": "<" * 8_000_000}),
    row("a provider: 1,000 arrays in each other as its name", "400", "POST", "/resource_providers",
        b'{"name":%b}' % (b"[" * 1000 + b"]" * 1000)),
    row("a provider: 8,000,000 brackets that open", "400", "POST", "/resource_providers",
        b"[" * 8_000_000),
    row("a provider: 700,000 times the same key", "400", "POST", "/resource_providers",
        b'{%b"a":1}' % (b'"name":"a",' * 700_000)),
    row("a provider: 1,900 numbers of 4,000 digits as its name", "400", "POST",
        "/resource_providers", b'{"name":[%b1]}' % ((b"9" * 4000 + b",") * 1900)),
    row("without a token: 4,000,000 chunks", "401|closed", "PUT", f"{PATH}/traits",
        chunks(4_000_000), CHUNKED, NO_TOKEN),
    row("without a role: 4,000,000 chunks", "403|closed", "PUT", f"{PATH}/traits",
        chunks(4_000_000), CHUNKED, NO_ROLE),
    row("without a token: 2,000 media types accepted", "401", "GET", "/traits", b"",
        NO_TOKEN, {"Accept": "a/b," * 2000}),
]
