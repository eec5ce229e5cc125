"""Hooks of schemathesis, which change each request of tests/fuzz before it is sent.

The answers to fully random requests would only be 404 and 400. So most requests get names from a
small world of a few providers, consumers, classes and traits, in which one request finds what
another one has created.
"""

import itertools
import os
import random
import re

import requests
import schemathesis
from requests.structures import CaseInsensitiveDict

NEWEST = {
    "X-Auth-Token": "admin",
    # Only services may reshape.
    "X-Roles": "admin,service",
    "OpenStack-API-Version": "placement latest",
}
HEADERS = NEWEST | {"OpenStack-API-Version": f"placement {os.environ['FUZZ_VERSION']}"}

PROVIDERS = [f"11111111-1111-4111-8111-00000000000{number}" for number in range(4)]
CONSUMERS = [f"22222222-2222-4222-8222-00000000000{number}" for number in range(4)]
CLASSES = ["VCPU", "MEMORY_MB", "DISK_GB", "CUSTOM_A", "CUSTOM_B"]
TRAITS = ["HW_CPU_X86_AVX2", "MISC_SHARES_VIA_AGGREGATE", "CUSTOM_A", "CUSTOM_B"]

# After this many requests, whatever was deleted is created again.
REPAIR_AFTER = 100

_dice = random.Random(39)
_sent = itertools.count()
_session = requests.Session()
_NAME = re.compile("^[A-Z0-9_]+$")
_UUID = re.compile("^[0-9a-fA-F-]{36}$")


@schemathesis.hook
def before_call(context, case, kwargs):
    base_url = case.operation.base_url
    if next(_sent) % REPAIR_AFTER == 0:
        _make_world(base_url)
    case.headers = CaseInsensitiveDict(case.headers or {})
    case.headers.update(HEADERS)
    if _dice.random() < 0.2:
        return
    path = case.operation.path
    case.path_parameters = {
        name: _dice.choice(_known(name, path)) for name in case.path_parameters or {}
    }
    if isinstance(case.query, dict):
        case.query = {name: _met(value, name) for name, value in case.query.items()}
    case.body = _met(case.body, None)
    if path == "/resource_providers" and isinstance(case.body, dict):
        case.body["uuid"] = _dice.choice(PROVIDERS)
    _set_generations(base_url, case.body, next(iter(case.path_parameters.values()), None))


def _make_world(base_url):
    """Create the parts of the world that do not exist; the answers do not matter."""

    def send(method, path, body=None):
        return _session.request(method, base_url + path, json=body, headers=NEWEST, timeout=60)

    for name in CLASSES:
        send("PUT", f"/resource_classes/{name}")
    for name in TRAITS:
        send("PUT", f"/traits/{name}")
    for number, uuid in enumerate(PROVIDERS):
        send("POST", "/resource_providers", {"name": f"provider{number}", "uuid": uuid})
        for name in CLASSES:
            body = {"resource_class": name, "total": 100}
            send("POST", f"/resource_providers/{uuid}/inventories", body)


def _known(variable, path):
    """Return the values that a variable of a path may have, and names that do not exist."""
    if variable == "uuid":
        return PROVIDERS
    if variable == "consumer_uuid":
        return CONSUMERS
    return TRAITS if path.startswith("/traits") else CLASSES


def _met(value, name):
    """Return JSON, or a query parameter, with names that exist instead of random ones."""
    if isinstance(value, dict):
        return {_met_key(key, name): _met(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_met(each, name) for each in value]
    if isinstance(value, str):
        return _met_text(value, name)
    if type(value) is int and value > 0:
        # Amounts that often fit.
        return value % 50 + 1
    return value


def _met_key(key, within):
    if not isinstance(key, str):
        return key
    if _UUID.match(key):
        # Allocations in a body are keyed by provider; the keys at the top are mostly consumers.
        return _dice.choice(PROVIDERS if within else CONSUMERS)
    return _dice.choice(CLASSES) if _NAME.match(key) else key


def _met_text(text, name):
    name = str(name)
    if name.startswith("resources"):
        return re.sub("[A-Z0-9_]+:[0-9]+", lambda match: _amount(), text)
    if name.startswith(("required", "root_required", "traits", "name")):
        return re.sub("[A-Z0-9_]+", lambda match: _dice.choice(TRAITS), text)
    if name in ("uuid", "parent_provider_uuid") or name.startswith("in_tree"):
        return _dice.choice(PROVIDERS)
    if name == "resource_class":
        return _dice.choice(CLASSES)
    return text


def _amount():
    return f"{_dice.choice(CLASSES)}:{_dice.randint(1, 4)}"


def _set_generations(base_url, value, uuid):
    """Put the current generations into a body, in which a key or the path has the `uuid`."""
    if not isinstance(value, dict):
        return
    for name, url in (
        ("resource_provider_generation", f"{base_url}/resource_providers/{uuid}/inventories"),
        ("consumer_generation", f"{base_url}/allocations/{uuid}"),
    ):
        if name in value:
            answer = _session.get(url, headers=NEWEST, timeout=60)
            if answer.status_code == 200:
                value[name] = answer.json().get(name)
    for key, each in value.items():
        is_uuid = isinstance(key, str) and _UUID.match(key)
        _set_generations(base_url, each, key if is_uuid else uuid)
