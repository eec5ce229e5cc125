"""Sentences about resource classes and traits; pure.

A `change` is a StoredChange.
"""

from placement.constants import NamedKind
from placement.documents.sentences.pieces import Piece


def resource_class(change, places):
    """Yield the Pieces about a class that was created, renamed or deleted."""
    return _name(change, "resource class", NamedKind.RESOURCE_CLASS)


def trait(change, places):
    """Yield the Pieces about a trait that was created or deleted."""
    return _name(change, "trait", NamedKind.TRAIT)


def _name(change, what, kind):
    """Yield the Pieces about a name, such as "renamed resource class CUSTOM_A to CUSTOM_B".

    `kind` is a NamedKind.
    """
    if change.before and change.after:
        yield Piece(f"renamed {what} {change.before['name']} to ")
    else:
        yield Piece(f"{'created' if change.after else 'deleted'} {what} ")
    yield Piece(change.name, kind, id=change.name)
