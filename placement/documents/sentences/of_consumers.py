"""Sentences about the allocations of a consumer; pure.

A `change` is a StoredChange, and `places` is {uuid: ProviderPlace} of the known providers.
"""

from placement.constants import NamedKind
from placement.documents.sentences import pieces
from placement.documents.sentences.pieces import Piece

_OWNERS = {"project": "project_id", "user": "user_id", "type": "consumer_type"}


def allocations(change, places):
    """Yield the Pieces about a change: "placed instance ... of project ... on host1: VCPU 4"."""
    if change.before is None and change.after is None:
        # Another program has deleted the consumer, whose earlier state is unknown.
        yield Piece("removed consumer ")
        yield Piece(change.uuid, NamedKind.CONSUMER, id=change.uuid)
    elif change.before is None:
        yield from _sentence(change.uuid, "placed", change.after, on=_hosts(change.after, places))
    elif change.after is None:
        yield from _sentence(
            change.uuid, "removed", change.before, from_=_hosts(change.before, places)
        )
    else:
        yield from _changed(change, places)


def _changed(change, places):
    """Return the Pieces about a consumer that has allocations before and after the change.

    For instance: "moved instance ... of project ... from host1 to host2: VCPU 4".
    """
    # If the hosts are the same, compare the providers: a consumer may move within a host.
    for places_of in (_hosts, _providers):
        before, after = places_of(change.before, places), places_of(change.after, places)
        if set(before) != set(after):
            gone = [place for place in before if place not in after]
            come = [place for place in after if place not in before]
            verb = "moved" if gone and come else "removed" if gone else "extended"
            return _sentence(change.uuid, verb, change.after, from_=gone, to=come)
    return _kept(change, places)


def _sentence(uuid, verb, state, **places):
    """Yield the Pieces that say what was done with a consumer, where, and what it takes.

    `places` is {preposition: list of Pieces}: on, to, and from_ (`from` is a keyword of Python).
    """
    yield Piece(f"{verb} ")
    yield from _consumer(uuid, state)
    for preposition, listed in places.items():
        if listed:
            yield Piece(f" {preposition.rstrip('_')} ")
            yield from pieces.listed(listed)
    yield from pieces.detailed(
        [Piece(f"{name} "), pieces.amount(name, value)]
        for name, value in _totals(state).items()
    )


def _kept(change, places):
    """Yield the Pieces about a consumer that takes from the same providers as before.

    For instance: "changed instance ... of project ... on host1: VCPU from 2 to 4".
    """
    details = [*_changed_totals(change), *_changed_owners(change)]
    if details:
        verb = "changed"
    else:
        # The totals are the same, but perhaps not the amounts on each provider.
        is_same = _resources(change.before) == _resources(change.after)
        verb = "rewrote, unchanged," if is_same else "rearranged"
    yield Piece(f"{verb} ")
    yield from _consumer(change.uuid, change.after)
    yield Piece(" on ")
    yield from pieces.listed(_hosts(change.after, places))
    yield from pieces.detailed(details)


def _changed_totals(change):
    """Yield a detail, a list of Pieces, for each class whose total differs: "VCPU from 2 to 4"."""
    before, after = _totals(change.before), _totals(change.after)
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name, 0), after.get(name, 0)
        if old != new:
            yield pieces.from_to(name, pieces.amount(name, old), pieces.amount(name, new))


def _changed_owners(change):
    """Yield a detail, a list of Pieces, for the project, the user and the type, if they differ."""
    for what, name in _OWNERS.items():
        before, after = Piece(str(change.before[name])), Piece(str(change.after[name]))
        if before != after:
            yield pieces.from_to(what, before, after)


def _consumer(uuid, state):
    """Yield the Pieces that name a consumer: "instance ... of project ..."."""
    yield Piece(f"{(state['consumer_type'] or 'consumer').lower()} ")
    yield Piece(uuid, NamedKind.CONSUMER, id=uuid)
    yield Piece(" of project ")
    yield Piece(state["project_id"], NamedKind.PROJECT, id=state["project_id"])


def _hosts(state, places):
    """Return a Piece for each host in a state, without repetitions."""
    return list(dict.fromkeys(pieces.host(uuid, places) for uuid in state["allocations"]))


def _providers(state, places):
    """Return a Piece for each provider in a state."""
    return [pieces.provider(uuid, places) for uuid in state["allocations"]]


def _resources(state):
    """Return {provider uuid: {class: amount}} for a state."""
    return {uuid: each["resources"] for uuid, each in state["allocations"].items()}


def _totals(state):
    """Return {class name: amount} for a state: the sums over all providers."""
    totals = {}
    for resources in _resources(state).values():
        for name, amount in resources.items():
            totals[name] = totals.get(name, 0) + amount
    return totals
