"""What differs after a change, in words for people; pure."""

from typing import NamedTuple


class Difference(NamedTuple):
    """Something that had one value and now has another; None stands for no value."""

    what: str
    before: str | None
    after: str | None

    def __str__(self):
        if self.before is None:
            return f"+ {self.what} {self.after}".rstrip()
        if self.after is None:
            return f"- {self.what} {self.before}".rstrip()
        return f"{self.what} {self.before} -> {self.after}"


def of(change, names):
    """Return the Differences in a StoredChange; `names` is {uuid: name} of providers."""
    before = _flat(change.kind, change.before, names)
    after = _flat(change.kind, change.after, names)
    return [
        Difference(what, before.get(what), after.get(what))
        for what in dict.fromkeys([*before, *after])
        if before.get(what) != after.get(what)
    ]


def _flat(kind, state, names):
    """Return a state as {what: its value, a string}; {} if there is no state.

    A state is what GET shows for a subject of this `kind`: a list for traits and aggregates,
    otherwise an object. UUIDs in it are replaced by names from `names`, {uuid: name}.
    """
    if state is None:
        return {}
    if isinstance(state, list):
        return {names.get(key, key): "" for key in state}
    if kind == "allocations":
        return _of_allocations(state, names)
    if kind == "inventories":
        return {
            f"{class_name} {name}": str(value)
            for class_name, inventory in state.items()
            for name, value in inventory.items()
            # The capacity follows from the other values.
            if name != "capacity"
        }
    return {
        name.removesuffix("_provider_uuid"): names.get(value, value)
        for name, value in state.items()
        if value is not None
    }


def _of_allocations(state, names):
    """Return {what: its value, a string} for the amounts and the owner in a consumer's state.

    For instance: {"VCPU on host1": "4", "project": ..., "user": ..., "consumer_type": ...}.
    """
    held = {
        f"{class_name} on {names.get(uuid, uuid)}": str(amount)
        for uuid, taken in state["allocations"].items()
        for class_name, amount in taken["resources"].items()
    }
    owner = ("project_id", "user_id", "consumer_type")
    return held | {name.removesuffix("_id"): state[name] for name in owner}
