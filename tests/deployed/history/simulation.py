"""A simulated service in memory, with its own clock. It is correct, or faulty in a chosen way.

Clients and the service are generators that yield how long they wait, in seconds. Requests can
interfere only while the service waits. A correct service does not wait between reading and writing.
"""

import enum
import heapq
import itertools

from tests.deployed.history.calls import CONCURRENT_UPDATE, Answer, Call

CLIENTS = 8
SERVER = "simulated"
_MEAN_SECONDS = 0.01
# How often a faulty service is wrong, and how often answers are lost if some are.
_RARELY = 0.02

_CONFLICT = Answer(409, {"errors": [{"code": CONCURRENT_UPDATE}]})
_NOT_FOUND = Answer(404, {"errors": [{"code": "placement.undefined_code"}]})
_NO_ROOM = Answer(409, {"errors": [{"code": "placement.undefined_code"}]})


class Wrong(enum.Enum):
    """What the service does wrong."""

    LOST_UPDATE = "the generation of a consumer may have changed between check and write"
    DIRTY_READ = "a claim that will be refused is seen for a moment"
    TORN_CLAIM = "the consumers of a claim are written one after the other"
    VANISHED_WRITE = "a write is acknowledged and not stored"
    REPEATED_GENERATION = "a write does not advance the generation"
    OVERCOMMITMENT = "the capacity may have been taken between check and write"
    LOST_PROVIDER_UPDATE = "the generation of a provider may have changed"
    STALE_READ = "a consumer is read as it was before its last write"
    MISSED_PROVIDER = "a provider is not found, though it exists"
    FAILURE = "a claim is answered with 500"


class Simulation:
    """The calls of clients of a service that is `wrong`, or correct.

    `calls` is a list of Calls. `dice` is the random.Random that decides all that happens.
    """

    def __init__(self, dice, wrong=None):
        self.calls = []
        self._dice = dice
        self._service = _Service(dice, wrong)
        self._loses_answers = False
        self._now = 0
        self._queue = []
        self._order = itertools.count()

    def run(self, talks, seconds=float("inf"), loses_answers=False):
        """Let clients, each a generator of Requests, send them for some time, or until they end."""
        self._loses_answers = loses_answers
        until = self._now + seconds
        for number, talk in enumerate(talks):
            self._start(self._converse(number, talk, until))
        while self._queue:
            self._now, _, process = heapq.heappop(self._queue)
            self._resume(process)

    def _start(self, process):
        self._wait(0, process)

    def _resume(self, process):
        for seconds in process:
            self._wait(seconds, process)
            return

    def _wait(self, seconds, process):
        heapq.heappush(self._queue, (self._now + seconds, next(self._order), process))

    def _converse(self, client, talk, until):
        answer = None
        while self._now < until:
            try:
                request = talk.send(answer)
            except StopIteration:
                return
            begin = self._now
            answer = yield from self._ask(request)
            self.calls.append(Call(client, SERVER, begin, self._now, *request, *answer))
            yield _pause(self._dice)

    def _ask(self, request):
        if not self._loses_answers or self._dice.random() > _RARELY:
            return (yield from self._service.answer(request))
        if self._dice.random() < 0.5:
            # The service may be done before the client gives up, or after.
            self._start(self._service.answer(request))
        yield _pause(self._dice)
        return Answer(None)


def _pause(dice):
    return dice.expovariate(1 / _MEAN_SECONDS)


class _Service:
    def __init__(self, dice, wrong):
        self._dice = dice
        self._wrong = wrong
        # {uuid: the fields of its document}
        self._providers = {}
        # {uuid: (generation, {provider: {class: amount}})}
        self._consumers = {}
        self._consumers_before = {}

    def answer(self, request):
        yield _pause(self._dice)
        answer = yield from self._do(request)
        yield _pause(self._dice)
        return answer

    def _do(self, request):
        match request.method, request.path.split("/")[1:]:
            case "PUT", ["allocations", consumer]:
                return (yield from self._claim({consumer: request.body}))
            case "POST", ["allocations"]:
                return (yield from self._claim(request.body))
            case "PUT", ["resource_providers", provider, aspect]:
                return (yield from self._change(self._providers[provider], aspect, request.body))
            case "DELETE", ["allocations", consumer]:
                return Answer(204 if self._consumers.pop(consumer, None) else 404)
            case "GET", ["allocations", consumer]:
                return Answer(200, self._allocations(consumer))
            case "POST", ["resource_providers"]:
                return self._create_provider(request.body["uuid"])
            case "GET", ["resource_providers", *_] if self._is_now(Wrong.MISSED_PROVIDER):
                return _NOT_FOUND
            case "GET", ["resource_providers", provider, *aspect]:
                return Answer(200, self._document(self._providers[provider], *aspect))
            case "GET", ["operator", _]:
                return Answer(200, {"resource_providers": [*map(self._whole, self._providers)]})
        return Answer(204)

    def _is_now(self, wrong):
        return self._wrong is wrong and self._dice.random() < _RARELY

    def _claim(self, bodies):
        is_current, has_room = self._is_current(bodies), self._has_room(bodies)
        if self._wrong in (Wrong.LOST_UPDATE, Wrong.OVERCOMMITMENT):
            yield _pause(self._dice)
        if self._wrong is not Wrong.LOST_UPDATE:
            is_current = self._is_current(bodies)
        if self._wrong is not Wrong.OVERCOMMITMENT:
            has_room = self._has_room(bodies)
        if not is_current:
            return _CONFLICT
        if not has_room:
            yield from self._refuse(bodies)
            return _NO_ROOM
        if self._is_now(Wrong.FAILURE):
            return Answer(500)
        if not self._is_now(Wrong.VANISHED_WRITE):
            yield from self._store(bodies)
        return Answer(204)

    def _refuse(self, bodies):
        if self._wrong is Wrong.DIRTY_READ:
            before = {each: self._consumers.get(each) for each in bodies}
            yield from self._store(bodies)
            yield _pause(self._dice)
            for consumer, held in before.items():
                self._consumers.pop(consumer, None)
                if held is not None:
                    self._consumers[consumer] = held

    def _is_current(self, bodies):
        return all(
            self._consumers.get(consumer, (None,))[0] == body["consumer_generation"]
            for consumer, body in bodies.items()
        )

    def _has_room(self, bodies):
        wanted = {consumer: _held(body) for consumer, body in bodies.items()}
        others = {
            consumer: held
            for consumer, (_, held) in self._consumers.items()
            if consumer not in wanted
        }
        return all(
            _used(provider, name, {**wanted, **others}) <= inventory["total"]
            for provider, document in self._providers.items()
            for name, inventory in document["inventories"].items()
        )

    def _store(self, bodies):
        self._advance_providers(bodies)
        for consumer, body in bodies.items():
            if self._wrong is Wrong.TORN_CLAIM:
                yield _pause(self._dice)
            self._consumers_before[consumer] = self._consumers.pop(consumer, None)
            generation = body["consumer_generation"] or 0
            if not generation or not self._is_now(Wrong.REPEATED_GENERATION):
                generation += 1
            if body["allocations"]:
                self._consumers[consumer] = generation, _held(body)

    def _advance_providers(self, bodies):
        advanced = {provider for body in bodies.values() for provider in body["allocations"]}
        for consumer, body in bodies.items():
            if not body["allocations"] and consumer in self._consumers:
                advanced.update(self._consumers[consumer][1])
        for provider in advanced:
            self._providers[provider]["generation"] += 1

    def _create_provider(self, uuid):
        self._providers[uuid] = {
            "uuid": uuid, "generation": 0, "inventories": {}, "traits": [], "aggregates": []
        }  # fmt: skip
        return Answer(200)

    def _change(self, provider, aspect, body):
        is_current = body["resource_provider_generation"] == provider["generation"]
        if self._wrong is Wrong.LOST_PROVIDER_UPDATE:
            yield _pause(self._dice)
        if not is_current:
            return _CONFLICT
        value = body[aspect] if aspect == "inventories" else sorted(body[aspect])
        is_unchanged = aspect == "traits" and value == provider["traits"]
        provider["generation"] = body["resource_provider_generation"] + (not is_unchanged)
        provider[aspect] = value
        return Answer(200, self._document(provider, aspect))

    def _allocations(self, consumer):
        found = self._consumers.get(consumer)
        if self._is_now(Wrong.STALE_READ):
            found = self._consumers_before.get(consumer)
        if found is None:
            return {"allocations": {}}
        generation, held = found
        resources = {provider: {"resources": amounts} for provider, amounts in held.items()}
        return {"allocations": resources, "consumer_generation": generation}

    def _document(self, provider, aspect=None):
        if aspect is None:
            return {"generation": provider["generation"]}
        return {
            aspect: provider[aspect], "resource_provider_generation": provider["generation"]
        }  # fmt: skip

    def _whole(self, uuid):
        held = {consumer: held for consumer, (_, held) in self._consumers.items() if uuid in held}
        inventories = {
            name: inventory
            | {"capacity": inventory["total"], "used": _used(uuid, name, held)}
            for name, inventory in self._providers[uuid]["inventories"].items()
        }
        allocations = {
            consumer: {
                "resources": amounts[uuid],
                "consumer_generation": self._consumers[consumer][0],
            }
            for consumer, amounts in held.items()
        }
        return self._providers[uuid] | {"inventories": inventories, "allocations": allocations}


def _held(body):
    return {provider: each["resources"] for provider, each in body["allocations"].items()}


def _used(provider, name, held):
    return sum(amounts.get(provider, {}).get(name, 0) for amounts in held.values())
