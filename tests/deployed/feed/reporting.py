"""Whether a feed agrees with the answers that writers got; pure."""

import collections
import itertools
from typing import NamedTuple

from tests.deployed.feed.writes import effect_of, is_mistaken


class Verdict(NamedTuple):
    """What is wrong, as sentences, and how many writes without an answer were reported or not."""

    faults: list
    reported: int
    unreported: int

    def __str__(self):
        return (
            f"{len(self.faults)} faults; of the writes without an answer {self.reported} were"
            f" reported, {self.unreported} were not"
        )


def judge(outcomes, changes, foreign=None):
    """Return the Verdict about the Outcomes of writes, given all changes from the first one on.

    `foreign` is a server of another Placement. Several of its writes may be reported as one change.
    What it wrote about a provider is not reported if the provider was deleted before that could be
    read.
    """
    by_request = collections.defaultdict(list)
    for change in changes:
        by_request[change["request_id"]].append(change)
    by_others = {(each["kind"], _subject(each)) for each in by_request.pop(None, [])}
    deleted = {each["uuid"] for each in changes if (each["kind"], each["after"]) == _DELETED}
    by_others |= {(kind, uuid) for kind in _PARTS for uuid in deleted}
    unanswered = collections.Counter()
    faults = [*_unordered(changes), *_unlinked(changes)]
    for request, answer in outcomes:
        if answer.server == foreign:
            if answer.is_acknowledged and not is_mistaken(request, answer):
                faults += _unreported_of_others(request, by_others)
        elif answer.is_acknowledged:
            faults += _misreported(request, by_request.pop(answer.request_id, []))
        elif answer.is_refused:
            found = by_request.pop(answer.request_id, [])
            faults += [f"reported, but refused with {answer.status}: {each}" for each in found]
        else:
            unanswered[_effects(request.effects)] += 1
    for found in by_request.values():
        effects = _effects(map(effect_of, found))
        if unanswered[effects] == 0:
            faults.append(f"reported, but nobody wrote it: {found}")
        unanswered[effects] -= 1
    return Verdict(faults, len(by_request), unanswered.total())


_DELETED = ("provider", None)
_PARTS = ("inventories", "traits", "aggregates")


def _effects(effects):
    return tuple(sorted(effects))


def _subject(change):
    return change["uuid"] or change["name"]


def _unreported_of_others(request, by_others):
    for each in request.effects:
        if (each.kind, each.subject) not in by_others:
            yield f"acknowledged by the other Placement, but not reported: {request}"


def _misreported(request, changes):
    """Yield a sentence unless the changes of an acknowledged request report each effect once."""
    if _effects(map(effect_of, changes)) != _effects(request.effects):
        yield f"acknowledged, but not reported once: {request} is reported as {changes}"


def _unordered(changes):
    for before, after in itertools.pairwise(changes):
        if before["position"] >= after["position"]:
            yield f"not in the order of positions: {before} and {after}"


def _unlinked(changes):
    """Yield a sentence for each change that does not begin where the last one of its subject ended.

    Something between them was not reported.
    """
    states = {}
    for change in changes:
        subject = change["kind"], _subject(change)
        if subject in states and states[subject] != change["before"]:
            yield f"after {states[subject]}, something is missing before {change}"
        states[subject] = change["after"]
