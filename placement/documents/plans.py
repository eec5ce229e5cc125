"""Plans as documents, with their sentences."""

from placement.candidates.plans import why_no_place
from placement.candidates.why.plurals import counted
from placement.documents import FORMAT, fit, resources

_STOPS = {
    why_no_place.DISABLED: "disabled",
    why_no_place.OUT_OF_REACH: "out of reach of what the consumer keeps, or in another aggregate",
}
_NOTES = (
    "Placement only knows what consumers hold, and not which traits and aggregates their flavors "
    "ask for, or whether their groups must be on different providers: name traits with keep, and "
    "aggregates with same_aggregate.",
    "The consumers stay where they are: this is a plan for the state that was read, and others may "
    "claim resources in the meantime.",
)
_NOTES_ON_SURVIVAL = (
    "Each is assumed to be lost alone, starting from the state that was read; what it offers to "
    "others is lost with it. Losing a host is treated like emptying it, with no traits to keep.",
)
_HEURISTIC = "The search is a heuristic: there may be a plan that it did not find."


def evacuation(plan):
    """Return the document of an Evacuation."""
    return FORMAT | {
        "possible": plan.is_possible,
        "hosts": [resources.named(host) for host in plan.hosts],
        "consumers": [_move(move) for move in plan.moves],
        "summary": summary_of_evacuation(plan),
        "notes": notes_on(plan),
    }


def notes_on(plan):
    """Return sentences about what an Evacuation does not take into account."""
    # A consumer that fits nowhere even alone proves that there is no plan.
    is_proven = any(move.nowhere and move.nowhere.is_alone for move in plan.moves)
    return [*_NOTES, *([] if plan.is_possible or is_proven else [_HEURISTIC])]


def summary_of_evacuation(plan):
    """Return the sentence about an Evacuation."""
    total, missing = len(plan.moves), plan.without_place
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
    """Return the sentence about a NoPlace, which says why a consumer has no place; None for None.

    For instance: "0 of 3 other hosts, with the other consumers there: 2 not enough VCPU, 1
    disabled."
    """
    if nowhere is None:
        return None
    besides = "" if nowhere.is_alone else ", with the other consumers there"
    reasons = ", ".join(
        f"{count:,} {reason(stop)}" for stop, count in nowhere.stops.items()
    )
    none = f"0 of {counted(nowhere.host_count, 'other host')}{besides}"
    return f"{none}: {reasons}." if reasons else f"{none}."


def survival(answer):
    """Return the document of a Survival."""
    return FORMAT | {
        "by": answer.by,
        "all": answer.all,
        "lost": [
            resources.named(loss) | {"consumers": loss.consumer_count, "left": loss.left}
            for loss in answer.lost
        ],
        "summary": summary_of_survival(answer),
        "notes": notes_on_survival(answer),
    }


def notes_on_survival(answer):
    """Return sentences about what a Survival does not take into account."""
    return [*_NOTES_ON_SURVIVAL, *([_HEURISTIC] if answer.lost else [])]


def summary_of_survival(answer):
    """Return the sentence about a Survival."""
    every = counted(answer.all, answer.by)
    if not answer.all:
        return f"There are no {answer.by}s."
    if not answer.lost:
        return f"Each of {every} could be lost: its consumers find a place elsewhere."
    return f"{len(answer.lost):,} of {every} cannot be spared."


# The page and the openstack command use the same words.
MORE_RELEASES = "The search ended early: there may be more such hosts."


def release(query_string, answer):
    """Return the document of a Release."""
    return FORMAT | {
        "query": query_string,
        "fits": answer.fitting_count,
        "hosts": [
            resources.named(host) | {"consumers": [consumer._asdict() for consumer in consumers]}
            for host, consumers in answer.hosts
        ],
        "complete": answer.is_complete,
        "summary": summary_of_release(answer),
    }


def summary_of_release(answer):
    """Return the sentence about a Release."""
    if answer.fitting_count:
        return f"The request already fits on {counted(answer.fitting_count, 'host')}."
    if not answer.hosts:
        return "No host would have room, whichever consumers went."
    first = answer.hosts[0]
    return f"{counted(len(first.consumers), 'consumer')} would have to go, on {first.host.name}."


def reason(stop):
    """Return in words what rules out a host: `stop`, a class, a constraint or a key of _STOPS."""
    return _STOPS.get(stop) or fit.reason(stop)


def _move(move):
    """Return what a document says about a Move: a consumer, and the place that it would get."""
    allocations = move.allocations
    return {
        "uuid": move.owner.uuid,
        "project_id": move.owner.project_id,
        "user_id": move.owner.user_id,
        "consumer_type": move.owner.consumer_type,
        "generation": move.owner.generation,
        "to": None if move.to is None else resources.named(move.to),
        "allocations": allocations
        and {uuid: {"resources": amounts} for uuid, amounts in allocations.items()},
        "why": why(move.nowhere),
    }
