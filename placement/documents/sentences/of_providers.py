"""Sentences about providers and their inventories, traits and aggregates; pure.

A `change` is a StoredChange, and `places` is {uuid: ProviderPlace} of the known providers.
"""

import os_traits

from placement.constants import NamedKind
from placement.documents.sentences import pieces
from placement.documents.sentences.pieces import Piece

# Nova gives this trait to a host that is disabled.
_DISABLED = os_traits.COMPUTE_STATUS_DISABLED


def provider(change, places):
    """Yield the Pieces about a provider, such as "created gpu1 below host1".

    If another program has written the provider, the earlier state may be unknown, or the same as
    the later state, because a state does not include the generation.
    """
    subject = pieces.provider(change.uuid, places, change.name)
    if change.before is None or change.after is None:
        # Another program's change has no operation, and the provider may have existed before.
        created = "created " if change.operation else "wrote "
        yield Piece("deleted " if change.after is None else created)
        yield subject
        parent = (change.after or change.before or {}).get("parent_provider_uuid")
        if parent is not None:
            yield Piece(" below ")
            yield pieces.provider(parent, places)
        return
    if change.before["name"] != change.after["name"]:
        yield Piece(f"renamed {change.before['name']} to ")
    elif change.before == change.after:
        yield Piece("wrote ")
    else:
        yield Piece("moved ")
    yield subject
    if change.before["root_provider_uuid"] != change.after["root_provider_uuid"]:
        yield Piece(" to the tree of ")
        yield pieces.provider(change.after["root_provider_uuid"], places)
    elif change.after["parent_provider_uuid"] != change.before["parent_provider_uuid"]:
        yield Piece(" below ")
        yield pieces.provider(change.after["parent_provider_uuid"], places)


def inventories(change, places):
    """Yield the Pieces about a provider whose inventory was written.

    For instance: "changed the inventory of host1: VCPU total from 8 to 16, removed DISK_GB 100".
    """
    before, after = change.before or {}, change.after or {}
    details = []
    for name in dict.fromkeys([*before, *after]):
        if name in before and name in after:
            details += _of_class(name, before[name], after[name])
        else:
            verb, state = ("added", after) if name in after else ("removed", before)
            total = pieces.amount(name, state[name]["total"])
            details.append([Piece(f"{verb} {name} "), total])
    yield from _changed(change, places, "inventory", details)


def _of_class(name, before, after):
    """Yield a detail, a list of Pieces, for each value that differs: "VCPU total from 8 to 16".

    A max_unit that changed only because the total did is left out.
    """
    has_maximum = any(state["max_unit"] != state["total"] for state in (before, after))
    for what in ("total", "reserved", *(["max_unit"] if has_maximum else [])):
        if before[what] != after[what]:
            amounts = (pieces.amount(name, state[what]) for state in (before, after))
            yield pieces.from_to(f"{name} {what}", *amounts)
    for what in ("min_unit", "step_size", "allocation_ratio"):
        if before[what] != after[what]:
            numbers = (Piece(str(state[what])) for state in (before, after))
            yield pieces.from_to(f"{name} {what}", *numbers)


def traits(change, places):
    """Yield the Pieces about a provider whose traits were written, which may disable a host.

    For instance: "disabled host1: added COMPUTE_STATUS_DISABLED".
    """
    before, after = change.before or [], change.after or []
    details = _added_and_removed(before, after, NamedKind.TRAIT)
    if (_DISABLED in before) == (_DISABLED in after):
        yield from _changed(change, places, "traits", details)
    else:
        yield Piece("disabled " if _DISABLED in after else "enabled ")
        yield pieces.provider(change.uuid, places, change.name)
        yield from pieces.detailed(details)


def aggregates(change, places):
    """Yield the Pieces about a provider whose aggregates were written."""
    details = _added_and_removed(change.before or [], change.after or [], NamedKind.AGGREGATE)
    yield from _changed(change, places, "aggregates", details)


def _changed(change, places, what, details):
    """Yield the Pieces of a sentence, such as "changed the traits of host1: added CUSTOM_A".

    `what` says what was written, "traits" in this example. Each of the `details` is a list of
    Pieces.
    """
    yield Piece(f"changed the {what} of " if details else f"rewrote, unchanged, the {what} of ")
    yield pieces.provider(change.uuid, places, change.name)
    yield from pieces.detailed(details)


def _added_and_removed(before, after, kind):
    """Return details, lists of Pieces: "added A and B" for new names, "removed C" for old ones."""
    changes = {
        "added": [name for name in after if name not in before],
        "removed": [name for name in before if name not in after],
    }
    return [
        [Piece(f"{verb} "), *pieces.listed([Piece(name, kind, id=name) for name in names])]
        for verb, names in changes.items()
        if names
    ]
