"""The parts of a sentence; pure."""

from typing import Literal, NamedTuple

from placement.constants import NamedKind


class Piece(NamedTuple):
    """Some words and, if they name something, its kind and id; the id of an amount is its class."""

    text: str
    kind: NamedKind | Literal["amount"] | None = None
    id: str | None = None


def provider(uuid, places, name=None):
    """Return the Piece for a provider, with its present name unless `name` is given.

    `places` is {uuid: ProviderPlace}; a provider that is not in it counts as a host.
    """
    place = places.get(uuid)
    is_host = place is None or place.host_uuid == uuid
    called = name or (place.name if place else uuid)
    return Piece(called, NamedKind.HOST if is_host else NamedKind.PROVIDER, uuid)


def host(uuid, places):
    """Return the Piece for a provider's host, or for the provider if its host is not known.

    `places` is {uuid: ProviderPlace}.
    """
    place = places.get(uuid)
    if place is None:
        return provider(uuid, places)
    return Piece(place.host_name, NamedKind.HOST, place.host_uuid)


def amount(class_name, value):
    """Return the Piece for an amount of a class."""
    return Piece(str(value), "amount", class_name)


def listed(pieces):
    """Yield Pieces as "a, b and c"."""
    for number, piece in enumerate(pieces):
        if number:
            yield Piece(" and " if number == len(pieces) - 1 else ", ")
        yield piece


def detailed(details):
    """Yield ": " and the Pieces of the details, each a list of Pieces; nothing without details."""
    for number, detail in enumerate(details):
        yield Piece(", " if number else ": ")
        yield from detail


def from_to(what, before, after):
    """Return the detail about a changed value, such as "VCPU from 2 to 4", as Pieces."""
    return [Piece(f"{what} from "), before, Piece(" to "), after]
