"""The requests of writers, who contend for the same hosts.

A writer is a generator: it yields a Request, and is sent the Answer.
"""

import random
import uuid

from tests.deployed.feed.writes import Request, effect, is_mistaken

HOSTS = 6
VCPU = 24
# Writers want more than there is: some claims must be refused.
CONSUMERS = 10
# A class with enough for everybody.
PLENTY, PLENTY_UNITS = "DISK_GB", 2**30


class World:
    """What all writers know: the hosts."""

    def __init__(self):
        self.hosts = [_uuid() for _ in range(HOSTS)]

    def creation(self):
        """Yield the Requests that create the hosts."""
        for host in self.hosts:
            yield _creation(host, host)
            yield _inventories(host, 0, {"VCPU": VCPU, PLENTY: PLENTY_UNITS})


class Writer:
    """A writer, who knows only what the answers said. Nobody else writes its consumers."""

    def __init__(self, world):
        self._hosts = world.hosts
        # The consumers whose state is certain: {consumer: (generation, what it holds)}.
        self._consumers = {}

    def requests(self):
        """Yield Requests forever, one after the other."""
        actions = {
            self._claim: 20,
            self._resize: 12,
            self._move: 12,
            self._release: 10,
            self._write_host: 12,
            self._live_as_tree: 2,
            self._send_nonsense: 1,
        }
        while True:
            [action] = random.choices([*actions], [*actions.values()])
            yield from action()

    # --- Consumers of the common hosts ------------------------------------------------------------

    def _claim(self):
        if len(self._consumers) < CONSUMERS:
            yield from self._put(_uuid(), self._something())

    def _resize(self):
        if self._consumers:
            yield from self._put(self._anyone(), self._something())

    def _move(self):
        """Move all that a consumer holds to another, and claim something else for the old one."""
        if self._consumers:
            old, new = self._anyone(), _uuid()
            _, held = self._consumers[old]
            wanted = {new: held, old: self._something()}
            claims = {consumer: self._body(consumer, each) for consumer, each in wanted.items()}
            yield from self._hold(Request("POST", "/allocations", claims, _held(wanted)), wanted)

    def _release(self):
        if self._consumers:
            consumer = self._anyone()
            if random.random() < 0.5:
                yield from self._put(consumer, {})
            else:
                released = Request(
                    "DELETE", f"/allocations/{consumer}", None, _held({consumer: {}})
                )
                yield from self._hold(released, {consumer: {}})

    def _put(self, consumer, held):
        body, effects = self._body(consumer, held), _held({consumer: held})
        yield from self._hold(
            Request("PUT", f"/allocations/{consumer}", body, effects), {consumer: held}
        )

    def _body(self, consumer, held):
        generation, _ = self._consumers.get(consumer, (None, None))
        return _claim(held, generation)

    def _hold(self, request, wanted):
        """Send a request, and remember what consumers hold afterwards, unless that is in doubt."""
        answer = yield request
        if answer.is_refused:
            return
        for consumer, held in wanted.items():
            generation, _ = self._consumers.pop(consumer, (0, None))
            if answer.is_acknowledged and held:
                self._consumers[consumer] = (generation + 1, held)

    def _anyone(self):
        return random.choice([*self._consumers])

    def _something(self):
        hosts = random.sample(self._hosts, random.randint(1, 2))
        # The second amount makes sure that no consumer ever holds the same twice.
        return {
            host: {"VCPU": random.randint(1, 2), PLENTY: random.randint(1, 10**5)}
            for host in hosts
        }

    # --- The common hosts -------------------------------------------------------------------------

    def _write_host(self):
        host = random.choice(self._hosts)
        found = yield Request("GET", f"/resource_providers/{host}")
        if not found.is_acknowledged:
            return
        generation = found.document["generation"]
        match random.choice(["inventories", "traits", "aggregates"]):
            case "inventories":
                most = {"VCPU": VCPU, PLENTY: random.randint(10**6, PLENTY_UNITS)}
                yield _inventories(host, generation, most)
            case "traits":
                name = _name()
                made = yield _new_trait(name)
                if made.is_acknowledged:
                    yield _traits(host, generation, [name])
            case "aggregates":
                yield _aggregates(host, generation, [_uuid()])

    # --- Trees of its own -------------------------------------------------------------------------

    def _live_as_tree(self):
        """Build, reshape, rearrange and remove a tree, or as much of that as succeeds."""
        steps = _life_of_a_tree()
        last = random.randint(1, 2 * len(steps))
        for step in steps[:last]:
            answer = yield step
            is_known = answer.is_acknowledged or answer.is_refused
            if not is_known or is_mistaken(step, answer):
                return

    def _send_nonsense(self):
        yield Request("POST", "/resource_providers", {"name": ""}, (effect("provider", "", []),))
        unknown = _uuid()
        yield _inventories(unknown, 0, {"VCPU": 1})
        yield Request("DELETE", f"/allocations/{unknown}", None, _held({unknown: {}}))


def _life_of_a_tree():
    """Return the Requests. Nobody else writes to the tree, so its generations are known."""
    root, other, child, grandchild, consumer = (_uuid() for _ in range(5))
    class_name, trait, renamed = _name(), _name(), _name()
    on_root, on_child = ({each: {"VCPU": 1, class_name: 1}} for each in (root, child))
    amounts = {"VCPU": 8, class_name: 8}
    reshaped = {
        "inventories": {
            root: {"resource_provider_generation": 3, "inventories": _totals({PLENTY: 4})},
            child: {"resource_provider_generation": 1, "inventories": _totals(amounts)},
        },
        "allocations": {consumer: _claim(on_child, 1)},
    }
    return [
        _creation(root, root),
        _creation(other, other),
        _creation(child, child, root),
        _creation(grandchild, grandchild, child),
        Request(
            *("PUT", f"/resource_classes/{class_name}", None),
            (effect("resource_class", class_name, class_name),),
        ),
        _new_trait(trait),
        _inventories(root, 0, amounts),
        _traits(root, 1, [trait]),
        _aggregates(child, 0, [_uuid()]),
        Request("PUT", f"/allocations/{consumer}", _claim(on_root), _held({consumer: on_root})),
        Request(
            *("POST", "/reshaper", reshaped),
            (
                effect("inventories", root, {PLENTY: 4}),
                effect("inventories", child, amounts),
                *_held({consumer: on_child}),
            ),
        ),
        _update(grandchild, renamed, child),
        # The descendants of the child move, too.
        _update(child, child, other, effect("provider", grandchild, [renamed, child])),
        _deletion(child),
        Request("DELETE", f"/allocations/{consumer}", None, _held({consumer: {}})),
        _deletion(grandchild),
        _deletion(child),
        Request(
            *("DELETE", f"/resource_providers/{root}/traits", None),
            (effect("traits", root, []),),
        ),
        _deletion(root),
        _deletion(other),
        Request("DELETE", f"/traits/{trait}", None, (effect("trait", trait, None),)),
        Request(
            *("DELETE", f"/resource_classes/{class_name}", None),
            (effect("resource_class", class_name, None),),
        ),
    ]


def _creation(provider, name, parent=None):
    body = {"uuid": provider, "name": name, "parent_provider_uuid": parent}
    return Request(
        "POST", "/resource_providers", body, (effect("provider", provider, [name, parent]),)
    )


def _update(provider, name, parent, *more):
    body = {"name": name, "parent_provider_uuid": parent}
    path = f"/resource_providers/{provider}"
    return Request("PUT", path, body, (effect("provider", provider, [name, parent]), *more))


def _deletion(provider):
    path = f"/resource_providers/{provider}"
    return Request("DELETE", path, None, (effect("provider", provider, None),))


def _inventories(provider, generation, most):
    return _of_provider(
        provider, generation, "inventories", _totals(most), effect("inventories", provider, most)
    )


def _totals(most):
    """Return inventories with a max_unit by which the write can be recognized."""
    return {
        name: {"total": PLENTY_UNITS if name == PLENTY else units, "max_unit": units}
        for name, units in most.items()
    }


def _traits(provider, generation, names):
    return _of_provider(provider, generation, "traits", names, effect("traits", provider, names))


def _aggregates(provider, generation, uuids):
    change = effect("aggregates", provider, uuids)
    return _of_provider(provider, generation, "aggregates", uuids, change)


def _of_provider(provider, generation, aspect, content, change):
    body = {"resource_provider_generation": generation, aspect: content}
    return Request("PUT", f"/resource_providers/{provider}/{aspect}", body, (change,))


def _new_trait(name):
    return Request("PUT", f"/traits/{name}", None, (effect("trait", name, name),))


def _held(wanted):
    """Return the Effects of a write after which consumers hold what is wanted."""
    return tuple(
        effect("allocations", consumer, held or None) for consumer, held in wanted.items()
    )


def _claim(held, generation=None):
    return {
        "allocations": {provider: {"resources": each} for provider, each in held.items()},
        "project_id": "storm",
        "user_id": "storm",
        "consumer_type": "INSTANCE",
        "consumer_generation": generation,
    }


def _uuid():
    return str(uuid.uuid4())


def _name():
    return f"CUSTOM_FEED_{uuid.uuid4().hex.upper()}"
