"""Faults that one snapshot of all providers and consumers shows."""

import bisect
import collections
import itertools
import operator

from tests.deployed.history.faults import Fault, Kind


def find_faults(history):
    """Yield the Faults of the snapshots of a History."""
    partners = _Partners(history)
    for snapshot in history.snapshots:
        for uuid, provider in snapshot.providers.items():
            for text in _wrong_amounts(provider):
                yield Fault(Kind.CAPACITY, f"provider {uuid}: {text}", [snapshot.call])
        for consumer, partner, claim in partners.torn(snapshot):
            text = f"{consumer} is as a claim has left it, or later, and {partner} as before it"
            yield Fault(Kind.TORN, text, [claim, snapshot.call])


def _wrong_amounts(provider):
    taken = collections.Counter()
    for held in provider["allocations"].values():
        taken.update(held["resources"])
    for name, inventory in provider["inventories"].items():
        used, capacity = inventory["used"], inventory["capacity"]
        if used > capacity:
            yield f"{used} {name} are used of {capacity}"
        if used != taken[name]:
            yield f"{used} {name} are used, and {taken[name]} allocated"


class _Partners:
    """The consumers that were written together, and how to tell that a snapshot shows only one."""

    def __init__(self, history):
        self._history = history
        # {lasting consumer: (generations, what its partners must have reached at each of them)}
        self._reached = {}
        for consumer, claims in _lasting_partners(history).items():
            claims.sort(key=operator.itemgetter(0))
            generations, reached = zip(*claims, strict=True)
            self._reached[consumer] = generations, [*itertools.accumulate(reached, operator.or_)]

    def torn(self, snapshot):
        """Yield (consumer, its partner, the call) of each claim that is shown in part."""
        for consumer, held in snapshot.consumers.items():
            call, written = self._history.writers.get((consumer, held.amounts), (None, {}))
            for partner in written.keys() - {consumer}:
                if self._is_before(snapshot, partner, call):
                    yield consumer, partner, call
            for partner, (generation, earlier) in self._expected(consumer, held).items():
                shown = snapshot.consumers.get(partner)
                if shown is None or shown.generation < generation:
                    yield consumer, partner, earlier

    def _is_before(self, snapshot, consumer, call):
        """Whether a snapshot shows a consumer as it was before a call began."""
        held = snapshot.consumers.get(consumer)
        if held is None:
            return False
        earlier, _ = self._history.writers.get((consumer, held.amounts), (None, None))
        return earlier is not None and earlier.is_acknowledged and earlier.end < call.begin

    def _expected(self, consumer, held):
        """Return {partner: (generation, call)} that a snapshot with `consumer` as `held` must
        show."""
        generations, reached = self._reached.get(consumer, ([], []))
        index = bisect.bisect_right(generations, held.generation)
        return reached[index - 1] if index else {}


def _lasting_partners(history):
    """Return {consumer: [(generation, {partner: (generation, call)})]} of acknowledged claims."""
    found = collections.defaultdict(list)
    for call, written in history.claims:
        if not call.is_acknowledged:
            continue
        lasting = {
            consumer: ((effect.expected or 0) + 1, call)
            for consumer, effect in written.items()
            if consumer in history.lasting
        }
        for consumer, (generation, _) in lasting.items():
            others = {each: reached for each, reached in lasting.items() if each != consumer}
            found[consumer].append((generation, others))
    return found

