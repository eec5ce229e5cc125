"""Faults that a single read shows, or a pair of writes."""

import bisect
import collections
import itertools
from typing import NamedTuple

from tests.deployed.history import effects
from tests.deployed.history.faults import Fault, Kind

_NEVER = float("inf")


def find_faults(history):
    """Yield the Faults of a History, and its stale reads, which a cluster may have."""
    for consumer, operations in history.consumers.items():
        yield from _foreign_reads(history, consumer, operations)
        if consumer in history.lasting:
            yield from _twice_written(consumer, operations)
            versions = _Generations()
        else:
            versions = _Moments(history, consumer, operations)
        yield from _stale_reads(consumer, operations, versions)
    for provider, operations in history.providers.items():
        yield from _twice_written(provider, operations)
        yield from _stale_reads(provider, operations, _Generations())


def _foreign_reads(history, consumer, operations):
    """Yield the Faults of reads that show a refused write, or one that nobody sent."""
    for effect, call in operations.certain:
        if isinstance(effect, effects.Seen) and effect.state is not None:
            writer, _ = history.writers.get((consumer, effect.state.amounts), (None, None))
            if writer is None:
                yield Fault(Kind.NOBODYS, f"{consumer}: {effect.state}", [call])
            elif writer.is_refused:
                yield Fault(Kind.REFUSED, consumer, [writer, call])


def _twice_written(name, operations):
    """Yield the Faults of writes that succeeded at the same generation."""
    calls = collections.defaultdict(list)
    for effect, call in operations.certain:
        if isinstance(effect, effects.Written | effects.Changed):
            calls[effect.expected].append(call)
    for generation, writers in calls.items():
        if len(writers) > 1:
            yield Fault(Kind.TWICE, f"{name}: generation {generation}", writers)


class _Version(NamedTuple):
    """What was written or shown. A greater `number` means a later version of the same object."""

    number: float
    call: object


class _Generations:
    """Versions of an object whose generation never starts again."""

    def written(self, effect, _call):
        match effect:
            case effects.Written():
                return (effect.expected or 0) + 1
            case effects.Changed():
                return effect.answered
        return None

    def shown(self, effect, _call):
        match effect:
            case effects.Seen(None):
                return 0
            case effects.Seen(state):
                return state.generation
            case effects.PartlySeen():
                return effect.generation
        return None


class _Moments:
    """Versions of a consumer that comes and goes.

    The version of a write is the time when it began. The version of a read is the end of the latest
    write that may have left what is shown, so only a read of what was certainly overwritten is
    stale.
    """

    def __init__(self, history, consumer, operations):
        self._writers = history.writers
        self._consumer = consumer
        removals = [each.call for each in operations.certain if effects.removes(each.effect)]
        unknown = [each.call for each in operations.uncertain if effects.removes(each.effect)]
        ends = [(call.begin, call.end) for call in removals]
        ends += [(call.begin, _NEVER) for call in unknown]
        ends.sort()
        self._removal_begins = [begin for begin, _ in ends]
        self._removal_ends = [*itertools.accumulate((end for _, end in ends), max)]

    def written(self, effect, call):
        is_write = isinstance(effect, effects.Written | effects.Removed)
        return call.begin if is_write else None

    def shown(self, effect, call):
        if not isinstance(effect, effects.Seen):
            return None
        if effect.state is None:
            removals = bisect.bisect_left(self._removal_begins, call.end)
            return self._removal_ends[removals - 1] if removals else -_NEVER
        writer, _ = self._writers.get((self._consumer, effect.state.amounts), (None, None))
        return writer.end if writer and writer.is_acknowledged else _NEVER


def _stale_reads(name, operations, versions):
    writes = collections.defaultdict(list)
    for effect, call in operations.certain:
        number = versions.written(effect, call)
        if number is not None:
            writes[call.server].append(_Version(number, call))
    newest_on = {server: _Newest(written) for server, written in writes.items()}
    newest = _Newest([*itertools.chain(*writes.values())])
    for effect, call in operations.certain:
        number = versions.shown(effect, call)
        if number is None:
            continue
        own = newest_on[call.server].later(number, call) if call.server in newest_on else None
        if own is not None:
            yield Fault(Kind.OWN_WRITE, name, [own, call])
        elif (other := newest.later(number, call)) is not None:
            yield Fault(Kind.STALE, f"{name}, {call.begin - other.end:.3f} s late", [other, call])


class _Newest:
    """The Versions of acknowledged writes: a later read must show these, or later ones."""

    def __init__(self, versions):
        versions.sort(key=lambda version: version.call.end)
        self._versions = versions
        self._tops = [*itertools.accumulate((version.number for version in versions), max)]

    def later(self, number, call):
        """Return the first write that is later than a version and had ended before `call`."""
        index = bisect.bisect_right(self._tops, number)
        if index < len(self._tops) and self._versions[index].call.end < call.begin:
            return self._versions[index].call
        return None
