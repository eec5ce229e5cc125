"""The requests of clients that contend for the same consumers and providers.

A client is a generator: it yields a Request, and is sent the Answer. So the same clients can ask
real servers (see `traffic`) and a simulated one with its own clock (`simulation`).
"""

import itertools
import uuid

from tests.deployed.history.calls import Request

HOSTS = 4
VCPU = 10
# Together they want more than there is: some claims must be refused.
CONSUMERS = 20
GROUPS = 3
GROUP_SIZE = 3

# A class with enough for everybody. Each claim takes a different amount of it, so that a read shows
# which claim was stored.
MARK = "CUSTOM_HISTORY_MARK"
TRAITS = tuple(f"CUSTOM_HISTORY_{number}" for number in range(4))

SNAPSHOT = "/operator/providers?consumers=true"
# How often a server is asked whether it has what was created on another.
_MOST_LOOKS = 1000


class World:
    """What all clients know: hosts, aggregates, consumers, and groups of consumers.

    The consumers of a group are written together, and are never removed.
    """

    def __init__(self, dice):
        def uuids(count):
            return [str(uuid.UUID(int=dice.getrandbits(128), version=4)) for _ in range(count)]

        self.hosts = uuids(HOSTS)
        self.aggregates = uuids(4)
        self.consumers = uuids(CONSUMERS)
        self.groups = [uuids(GROUP_SIZE) for _ in range(GROUPS)]
        self.marks = itertools.count(1)

    def creation(self):
        """Yield the Requests that create the class, the traits and the hosts."""
        yield Request("PUT", f"/resource_classes/{MARK}")
        for trait in TRAITS:
            yield Request("PUT", f"/traits/{trait}")
        for host in self.hosts:
            yield Request("POST", "/resource_providers", {"uuid": host, "name": host})
            yield Request("PUT", f"/resource_providers/{host}/inventories", inventories(0, VCPU))

    def arrival(self):
        """Yield Requests until a server has all hosts, with everything that belongs to them.

        Raises: TimeoutError.
        """
        for _ in range(_MOST_LOOKS):
            answer = yield Request("GET", "/resource_providers?resources=VCPU:1")
            # There may also be hosts of an earlier history.
            found = answer.document["resource_providers"] if answer.status == 200 else ()
            if {each["uuid"] for each in found}.issuperset(self.hosts):
                return
        raise TimeoutError("the world of the clients was not created")


def inventories(generation, most_vcpu):
    """Return a body that changes how much one claim may take, but not the capacity."""
    amounts = {"VCPU": (VCPU, most_vcpu), MARK: (2**31 - 1, 2**31 - 1)}
    return {
        "resource_provider_generation": generation,
        "inventories": {
            name: {"total": total, "max_unit": most} for name, (total, most) in amounts.items()
        },
    }


class Client:
    """A client, which knows only what the answers said. `dice` is its random.Random."""

    def __init__(self, world, dice):
        self._world = world
        self._dice = dice
        # The generations of hosts and of consumers; None for consumers that do not exist.
        self._generations = {}

    def requests(self):
        """Yield Requests forever, one after the other."""
        actions = {
            self._claim: 24,
            self._release: 8,
            self._migrate: 6,
            self._write_group: 12,
            self._look: 19,
            self._write_provider: 14,
            self._read_provider: 13,
            self._take_snapshot: 4,
        }
        while True:
            [action] = self._dice.choices([*actions], [*actions.values()])
            yield from action()

    def _claim(self):
        consumer = self._dice.choice(self._world.consumers)
        yield from self._know(consumer)
        yield from self._put(consumer, self._something())

    def _release(self):
        consumer = self._dice.choice(self._world.consumers)
        if self._dice.random() < 0.7:
            yield Request("DELETE", f"/allocations/{consumer}")
            self._generations.pop(consumer, None)
        else:
            yield from self._know(consumer)
            yield from self._put(consumer, {})

    def _migrate(self):
        """Give one consumer something, and take all from another, in one request."""
        coming, going = self._dice.sample(self._world.consumers, 2)
        yield from self._know(coming, going)
        yield from self._post({coming: self._something(), going: {}})

    def _write_group(self):
        group = self._dice.choice(self._world.groups)
        members = self._dice.sample(group, self._dice.randint(2, GROUP_SIZE))
        yield from self._know(*members)
        held = self._something()
        yield from self._post(dict.fromkeys(members, held))

    def _look(self):
        everyone = [*self._world.consumers, *itertools.chain(*self._world.groups)]
        yield from self._read(self._dice.choice(everyone))

    def _write_provider(self):
        host = self._dice.choice(self._world.hosts)
        yield from self._know_provider(host)
        generation = self._generations.pop(host, 0)
        write = self._dice.choice([self._inventories, self._traits, self._aggregates])
        aspect, body = write(generation)
        answer = yield Request("PUT", f"/resource_providers/{host}/{aspect}", body)
        if answer.status == 200:
            self._generations[host] = answer.document["resource_provider_generation"]

    def _read_provider(self):
        host = self._dice.choice(self._world.hosts)
        aspect = self._dice.choice(["", "/inventories", "/traits", "/aggregates"])
        yield Request("GET", f"/resource_providers/{host}{aspect}")

    def _take_snapshot(self):
        yield Request("GET", SNAPSHOT)

    def _know(self, *consumers):
        """Read consumers that were not seen before, and half of the others."""
        for consumer in consumers:
            if consumer not in self._generations or self._dice.random() < 0.5:
                yield from self._read(consumer)

    def _read(self, consumer):
        answer = yield Request("GET", f"/allocations/{consumer}")
        if answer.status == 200:
            self._generations[consumer] = answer.document.get("consumer_generation")

    def _know_provider(self, host):
        if host not in self._generations or self._dice.random() < 0.7:
            answer = yield Request("GET", f"/resource_providers/{host}")
            if answer.status == 200:
                self._generations[host] = answer.document["generation"]

    def _put(self, consumer, held):
        wanted = {consumer: held}
        [body] = self._bodies(wanted).values()
        answer = yield Request("PUT", f"/allocations/{consumer}", body)
        self._learn(wanted, answer)

    def _post(self, wanted):
        answer = yield Request("POST", "/allocations", self._bodies(wanted))
        self._learn(wanted, answer)

    def _bodies(self, wanted):
        return {
            consumer: {
                "allocations": {
                    host: {"resources": amounts} for host, amounts in held.items()
                },
                "project_id": "history",
                "user_id": "history",
                "consumer_type": "INSTANCE",
                "consumer_generation": self._generations.get(consumer),
            }
            for consumer, held in wanted.items()
        }

    def _learn(self, wanted, answer):
        """Keep the generations of consumers after a write, or forget them if the write failed."""
        for consumer, held in wanted.items():
            before = self._generations.pop(consumer, None)
            if answer.status == 204:
                self._generations[consumer] = (before or 0) + 1 if held else None

    def _something(self):
        """Return what a consumer should hold, {host: {class: amount}}, never the same twice."""
        hosts = self._dice.sample(self._world.hosts, self._dice.randint(1, 2))
        held = {host: {"VCPU": self._dice.randint(1, 2)} for host in hosts}
        held[hosts[0]][MARK] = next(self._world.marks)
        return held

    def _inventories(self, generation):
        return "inventories", inventories(generation, self._dice.randint(2, VCPU))

    def _traits(self, generation):
        return "traits", {
            "resource_provider_generation": generation,
            "traits": self._some_of(TRAITS),
        }

    def _aggregates(self, generation):
        return "aggregates", {
            "resource_provider_generation": generation,
            "aggregates": self._some_of(self._world.aggregates),
        }

    def _some_of(self, names):
        return self._dice.sample(names, self._dice.randint(0, len(names)))
