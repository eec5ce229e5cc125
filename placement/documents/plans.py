"""Plans as documents, with their sentences."""

from placement.candidates.plans import stops
from placement.candidates.why.plurals import counted
from placement.documents import FORMAT, fit, present

_STOPS = {
    stops.DISABLED: "disabled",
    stops.OUT_OF_REACH: "out of reach of what the consumer keeps, or in another aggregate",
}
_NOTES = (
    "Placement only knows what consumers hold, and not which traits and aggregates their flavors "
    "ask for, or whether their groups must be on different providers: name traits with keep, and "
    "aggregates with same_aggregate.",
    "The consumers stay where they are: this is a plan for the state that was read, and others may "
    "claim resources in the meantime.",
)
_NOTES_ON_SURVIVAL = (
    "Each is assumed to be lost on its own, from the state that was read, along with everything "
    "that it offers to others. A lost host is treated as one that is emptied, with no traits to "
    "keep.",
)
_HEURISTIC = "The search is a heuristic: there may be a plan that it did not find."


def evacuation(found):
    """Return the document of an Evacuation."""
    return FORMAT | {
        "possible": found.is_possible,
        "hosts": [present.named(host) for host in found.hosts],
        "consumers": [_move(each) for each in found.moves],
        "summary": summary_of_evacuation(found),
        "notes": notes_on(found),
    }


def notes_on(found):
    """Return sentences on what an Evacuation does not take into account."""
    is_proven = any(move.nowhere and move.nowhere.is_alone for move in found.moves)
    return [*_NOTES, *([] if found.is_possible or is_proven else [_HEURISTIC])]


def summary_of_evacuation(found):
    """Return the sentence about an Evacuation."""
    total, missing = len(found.moves), found.without_place
    if not total:
        return "There are no consumers."
    if not missing:
        return f"{counted(total, 'consumer')} can move elsewhere." if total == 1 else (
            f"All {counted(total, 'consumer')} can move elsewhere, at the same time."
        )
    placed = total - missing
    verb = "finds" if missing == 1 else "find"
    missed = f"{missing:,} of {counted(total, 'consumer')}"
    return f"{missed} {verb} no place elsewhere; {placed:,} can move."


def why(nowhere):
    """Return the sentence about a Nowhere, or None."""
    if nowhere is None:
        return None
    besides = "" if nowhere.is_alone else ", with the other consumers there"
    reasons = ", ".join(
        f"{count:,} {reason(each)}" for each, count in nowhere.stops.items()
    )
    found = f"0 of {counted(nowhere.hosts, 'other host')}{besides}"
    return f"{found}: {reasons}." if reasons else f"{found}."


def survival(found):
    """Return the document of a Survival."""
    return FORMAT | {
        "by": found.by,
        "all": found.all,
        "lost": [
            present.named(each) | {"consumers": each.consumers, "left": each.left}
            for each in found.lost
        ],
        "summary": summary_of_survival(found),
        "notes": notes_on_survival(found),
    }


def notes_on_survival(found):
    """Return sentences on what a Survival does not take into account."""
    return [*_NOTES_ON_SURVIVAL, *([_HEURISTIC] if found.lost else [])]


def summary_of_survival(found):
    """Return the sentence about a Survival."""
    every = counted(found.all, found.by)
    if not found.all:
        return f"There are no {found.by}s."
    if not found.lost:
        return f"Each of {every} could be lost: its consumers find a place elsewhere."
    return f"{len(found.lost):,} of {every} cannot be spared."


def release(query_string, found):
    """Return the document of a Release."""
    return FORMAT | {
        "query": query_string,
        "fits": found.fits,
        "hosts": [
            present.named(host) | {"consumers": [each._asdict() for each in consumers]}
            for host, consumers in found.hosts
        ],
        "complete": found.is_complete,
        "summary": summary_of_release(found),
    }


def summary_of_release(found):
    """Return the sentence about a Release."""
    if found.fits:
        return f"The request already fits on {counted(found.fits, 'host')}."
    if not found.hosts:
        return "No host would have room, whichever consumers went."
    first = found.hosts[0]
    return f"{counted(len(first.consumers), 'consumer')} would have to go, on {first.host.name}."


def reason(stop):
    """Return in words what stops a host: a class, or a constraint."""
    return _STOPS.get(stop) or fit.reason(stop)


def _move(move):
    allocations = move.allocations
    return {
        "uuid": move.owner.uuid,
        "project_id": move.owner.project_id,
        "user_id": move.owner.user_id,
        "consumer_type": move.owner.consumer_type,
        "generation": move.owner.generation,
        "to": None if move.to is None else present.named(move.to),
        "allocations": allocations
        and {uuid: {"resources": amounts} for uuid, amounts in allocations.items()},
        "why": why(move.nowhere),
    }
