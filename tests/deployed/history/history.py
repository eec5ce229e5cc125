"""The calls of a history, and what each means for the consumers and providers it is about."""

import collections
from typing import NamedTuple

from tests.deployed.history import clients, effects
from tests.deployed.history.calls import Call
from tests.deployed.history.linearization import Operation

_ASPECTS = ("inventories", "traits", "aggregates")
# The fields of an inventory that are compared, and their values where a body does not give any.
_INVENTORY = {
    "total": None,
    "reserved": 0,
    "min_unit": 1,
    "max_unit": 2**31 - 1,
    "step_size": 1,
    "allocation_ratio": 1.0,
}


class Snapshot(NamedTuple):
    """All providers, {uuid: its document}, and all consumers, {uuid: Held}, at one moment."""

    call: Call
    providers: dict
    consumers: dict


class Operations:
    """What calls do to one object, and what unanswered calls may have done to it."""

    def __init__(self):
        self.certain = []
        self.uncertain = []

    def add(self, call, effect):
        self.certain.append(Operation(effect, call))

    def add_uncertain(self, call, effect):
        self.uncertain.append(Operation(effect, call))

    @property
    def is_lasting(self):
        """Whether nothing can have removed a consumer."""
        return not any(effects.removes(each.effect) for each in self.certain + self.uncertain)

    def write(self, call, effect):
        """Note an effect unless the call was refused."""
        if call.is_unknown:
            self.add_uncertain(call, effect)
        elif call.is_acknowledged:
            self.add(call, effect)


class History:
    """The calls of a history by what they are about.

    size         the number of calls
    outcomes     a Counter of (method, status)
    servers      the servers that were called
    unexpected   the calls that were answered with an error that nothing explains
    claims       a list of (Call, {consumer: Written}): all writes of consumers, except DELETE
    writers      the claims by what they wrote, {(consumer, amounts): (Call, {consumer: Written})}
    snapshots    a list of Snapshots
    consumers    {uuid: Operations}
    providers    {uuid: Operations}
    lasting      the consumers that, once they had allocations, always had some
    """

    def __init__(self, calls):
        calls = list(calls)
        self.size = len(calls)
        self.outcomes = collections.Counter((call.method, call.status) for call in calls)
        self.servers = {call.server for call in calls}
        self.unexpected = [call for call in calls if call.is_unexpected]
        self.claims = [(call, _claimed(call)) for call in calls if _is_claim(call)]
        self.snapshots = [_snapshot(call) for call in calls if _is_snapshot(call)]
        self.consumers = collections.defaultdict(Operations)
        self.providers = collections.defaultdict(Operations)
        for call in calls:
            self._add_call(call)
        for call, written in self.claims:
            self._add_claim(call, written)
        self._advance_providers()
        for snapshot in self.snapshots:
            self._add_snapshot(snapshot)
        self.writers = {
            (consumer, effect.amounts): (call, written)
            for call, written in self.claims
            for consumer, effect in written.items()
        }
        self.lasting = {
            consumer for consumer, operations in self.consumers.items() if operations.is_lasting
        }

    def _add_call(self, call):
        """Note what a call does, if it is neither a claim nor a snapshot."""
        match call.method, call.path.split("/")[1:]:
            case "GET", ["allocations", consumer] if call.is_acknowledged:
                self.consumers[consumer].add(call, effects.Seen(_held(call.answer)))
            case "DELETE", ["allocations", consumer] if call.status == 404:
                self.consumers[consumer].add(call, effects.Seen(None))
            case "DELETE", ["allocations", consumer]:
                self.consumers[consumer].write(call, effects.Removed())
            case "POST", ["resource_providers"]:
                self.providers[call.body["uuid"]].write(call, effects.Created())
            case "GET", ["resource_providers", provider] if call.is_acknowledged:
                seen = effects.PartlySeen(call.answer["generation"])
                self.providers[provider].add(call, seen)
            case "GET", ["resource_providers", provider, aspect] if call.is_acknowledged:
                self.providers[provider].add(call, _seen(aspect, call.answer))
            case "PUT", ["resource_providers", provider, aspect]:
                _add_change(self.providers[provider], call, aspect)

    def _add_claim(self, call, written):
        for consumer, effect in written.items():
            operations = self.consumers[consumer]
            if not call.is_refused:
                operations.write(call, effect)
            elif not call.is_concurrent_update:
                operations.add(call, effects.Matched(effect.expected))
            elif len(written) == 1:
                operations.add(call, effects.Differed(effect.expected))

    def _advance_providers(self):
        """Note that claims advance providers."""
        givers = _givers(self.claims)
        for call, written in self.claims:
            taken, released = _advanced(call, written, givers)
            for provider in taken:
                self.providers[provider].write(call, effects.Advanced())
            if not call.is_refused:
                for provider in released:
                    self.providers[provider].add_uncertain(call, effects.Advanced())

    def _add_snapshot(self, snapshot):
        for consumer, operations in self.consumers.items():
            operations.add(snapshot.call, effects.Seen(snapshot.consumers.get(consumer)))
        for uuid, operations in self.providers.items():
            document = snapshot.providers.get(uuid)
            operations.add(snapshot.call, effects.Seen(document and _provider(document)))


def _is_claim(call):
    return call.path == "/allocations" or (
        call.method == "PUT" and call.path.startswith("/allocations/")
    )


def _claimed(call):
    """Return {consumer: Written} of a claim."""
    bodies = call.body if call.method == "POST" else {call.path.rpartition("/")[2]: call.body}
    return {
        consumer: effects.Written(body["consumer_generation"], _amounts(body["allocations"]))
        for consumer, body in bodies.items()
    }


def _givers(claims):
    """Return {(consumer, generation): [(Call, {the providers that it claims from})]}.

    These are the claims that may have put a consumer at a generation. There may be several: a
    consumer that was removed and created again starts with the same generation.
    """
    givers = collections.defaultdict(list)
    for call, written in claims:
        for consumer, effect in written.items():
            if effect.amounts and not call.is_refused:
                held = {provider for provider, *_ in effect.amounts}
                givers[consumer, (effect.expected or 0) + 1].append((call, held))
    return givers


def _advanced(call, written, givers):
    """Return the providers that a claim advances, and those that it may advance.

    A claim advances the providers that it takes from, and those of a consumer that it leaves with
    nothing.
    """
    taken = {provider for effect in written.values() for provider, *_ in effect.amounts}
    possible = set()
    for consumer, effect in written.items():
        if not effect.amounts:
            held = _possibly_held(call, givers.get((consumer, effect.expected), []))
            if len(held) == 1:
                taken = taken.union(*held)
            possible = possible.union(*held)
    return taken, possible - taken


def _possibly_held(call, givers):
    """Return the claims in `givers` that a consumer may have held when a call was made."""
    ended = [giver for giver, _ in givers if giver.is_acknowledged and giver.end < call.begin]
    last_begin = max((giver.begin for giver in ended), default=float("-inf"))
    return [
        held
        for giver, held in givers
        if giver.begin < call.end and (giver.is_unknown or giver.end >= last_begin)
    ]


def _is_snapshot(call):
    return call.path == clients.SNAPSHOT and call.is_acknowledged


def _snapshot(call):
    providers = {each["uuid"]: each for each in call.answer["resource_providers"]}
    amounts = collections.defaultdict(dict)
    generations = {}
    for uuid, provider in providers.items():
        for consumer, held in provider["allocations"].items():
            amounts[consumer][uuid] = held
            generations[consumer] = held["consumer_generation"]
    consumers = {
        consumer: effects.Held(generations[consumer], _amounts(held))
        for consumer, held in amounts.items()
    }
    return Snapshot(call, providers, consumers)


def _held(document):
    """Return the Held of the answer to GET /allocations/{consumer_uuid}, or None."""
    if not document["allocations"]:
        return None
    return effects.Held(document["consumer_generation"], _amounts(document["allocations"]))


def _amounts(allocations):
    return tuple(
        sorted(
            (provider, name, amount)
            for provider, held in allocations.items()
            for name, amount in held["resources"].items()
        )
    )


def _add_change(operations, call, aspect):
    expected = call.body["resource_provider_generation"]
    if call.is_concurrent_update:
        operations.add(call, effects.Differed(expected))
    elif call.is_refused:
        operations.add(call, effects.Matched(expected))
    else:
        answered = call.answer["resource_provider_generation"] if call.is_acknowledged else None
        value = _value(aspect, call.body[aspect])
        if aspect == "traits" and answered == expected:
            # Nothing was written: the answer shows what the server had read.
            operations.add(call, effects.PartlySeen(expected, aspect, value))
        else:
            operations.write(call, effects.Changed(expected, aspect, value, answered))


def _seen(aspect, document):
    generation = document["resource_provider_generation"]
    return effects.PartlySeen(generation, aspect, _value(aspect, document[aspect]))


def _provider(document):
    return effects.Provider(
        document["generation"], *(_value(aspect, document[aspect]) for aspect in _ASPECTS)
    )


def _value(aspect, shown):
    """Return a value of an aspect of a provider that can be compared."""
    if aspect != "inventories":
        return tuple(sorted(shown))
    return tuple(
        (name, *(shown[name].get(field, default) for field, default in _INVENTORY.items()))
        for name in sorted(shown)
    )
