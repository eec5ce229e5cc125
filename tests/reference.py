"""All candidates of a forest, found by trying everything. The search is compared with this.

It tries each way to meet the rules R1 to R11 and A4 of doc/explanation/rules.rst, shares no code
with placement.candidates, and is far too slow for anything but small forests. The closest providers
of a host, with which explanations are compared, are found in the same way.
"""

import itertools
from typing import NamedTuple

# The reasons why an amount does not fit, the least severe first. For -1, a higher limit is more
# generous; for 1, a lower one.
REASONS = {"capacity": -1, "step_size": 1, "min_unit": 1, "max_unit": -1, "no_inventory": 1}


class Shortage(NamedTuple):
    """Why a provider cannot serve an amount, and the largest amount below it that would fit."""

    fitting: int
    why: str
    limit: int
    free: int

    @property
    def distance(self):
        order = list(REASONS).index(self.why)
        return -self.fitting, order, REASONS[self.why] * self.limit, -self.free


def candidates(forest, query, one_provider_per_tree=False, anchor_id=None):
    """Return a set of (amounts, mappings), each a frozenset of the items of the dict.

    Every root in the forest is an anchor, in its batch or not, unless there is an `anchor_id`.
    """
    oracle = _Oracle(forest)
    found = set()
    for root in oracle.providers:
        if root.parent_id is not None or anchor_id not in (None, root.id):
            continue
        if not query.root_required <= root.traits or query.root_forbidden & root.traits:
            continue
        options = [oracle.options(group, root) for group in query.groups]
        for choice in itertools.product(*options):
            amounts = oracle.amounts(query, choice)
            if not oracle.is_legal(query, choice, amounts):
                continue
            if one_provider_per_tree and oracle.uses_a_tree_twice(amounts):
                continue
            mappings = frozenset(
                (group.suffix, frozenset(p.id for p in chosen.values()))
                for group, chosen in zip(query.groups, choice, strict=True)
            )
            found.add((frozenset(amounts.items()), mappings))
    return found


def shortage(forest, provider, class_id, amount):
    """Return the Shortage of a provider, None if it can serve the amount."""
    oracle = _Oracle(forest)
    if oracle.fits(provider, class_id, amount):
        return None
    room = provider.rooms.get(class_id)
    if room is None:
        return Shortage(0, "no_inventory", 0, 0)
    fitting = [each for each in range(amount) if each and oracle.fits(provider, class_id, each)]
    free = max(0, room.capacity - room.used)
    limits = {"max_unit": room.max_unit, "min_unit": room.min_unit, "step_size": room.step_size}
    broken = {
        "max_unit": amount > room.max_unit,
        "min_unit": amount < room.min_unit,
        "step_size": amount % room.step_size,
    }
    why = next((unit for unit in broken if broken[unit]), "capacity")
    return Shortage(max(fitting, default=0), why, limits.get(why, free), free)


def least_shortage(forest, root_id, class_id, amount):
    """Return the Shortage of a host's closest provider, None if one can serve the amount."""
    found = [shortage(forest, each, class_id, amount) for each in near(forest, root_id)]
    return None if None in found else min(found, key=lambda each: each.distance)


def limits(shortages):
    """Return {why: the most generous limit} of Shortages."""
    found = {}
    for each in shortages:
        if each.why != "no_inventory":
            found.setdefault(each.why, []).append(REASONS[each.why] * each.limit)
    return {why: REASONS[why] * min(signed) for why, signed in found.items()}


def distance(forest, provider, group):
    """Return how many constraints of a granular group a provider misses, and their shortages."""
    missed = [
        bool(group.amounts) and group.root_id not in (None, provider.root_id),
        bool(provider.traits & group.forbidden),
        bool(provider.aggregates & group.not_member_of),
        *(not alternatives & provider.traits for alternatives in set(group.required)),
        *(not uuids & provider.aggregates for uuids in set(group.member_of)),
    ]
    found = [
        (shortage(forest, provider, class_id, amount), amount)
        for class_id, amount in group.amounts.items()
    ]
    missed += [1 - each.fitting / amount for each, amount in found if each is not None]
    return sum(map(bool, missed)), sum(missed)


def near(forest, root_id):
    """Return the providers that can be used at a root: those of its tree, and sharing ones."""
    oracle = _Oracle(forest)
    return [each for each in oracle.providers if root_id in oracle.anchors(each)]


class _Oracle:
    def __init__(self, forest):
        self.providers = list(forest.providers.values())
        self.by_id = forest.providers
        self.sharing_ids = forest.sharing_ids

    def anchors(self, provider):
        if provider.id not in self.sharing_ids:
            return {provider.root_id}
        reached = {q.root_id for q in self.providers if q.aggregates & provider.aggregates}
        return {provider.root_id} | reached

    def options(self, group, root):
        """Return [{class_id: provider}]; a group without resources has its provider under None."""
        near = [p for p in self.providers if root.id in self.anchors(p)]
        if group.suffix:
            return self.options_of_granular_group(group, near)
        choices = []
        for class_id, amount in group.amounts.items():
            choices.append(
                [
                    p
                    for p in near
                    if self.fits(p, class_id, amount)
                    and (group.root_id is None or p.root_id == root.id == group.root_id)
                    and (
                        not group.member_of
                        or self.is_member(p, group)
                        or (p.root_id == root.id and self.is_member(root, group))
                    )
                    and not p.aggregates & group.not_member_of
                    and not root.aggregates & group.not_member_of
                ]
            )
        options = []
        for chosen in itertools.product(*choices):
            union = frozenset().union(*(p.traits for p in chosen))
            if any(p.traits & group.forbidden for p in chosen):
                continue
            if all(alternatives & union for alternatives in group.required):
                options.append(dict(zip(group.amounts, chosen, strict=True)))
        return options

    def options_of_granular_group(self, group, near):
        if not group.amounts and not group.required and not group.member_of:
            return []
        return [
            dict.fromkeys(group.amounts or [None], p)
            for p in near
            if not (group.amounts and group.root_id not in (None, p.root_id))
            and all(self.fits(p, class_id, n) for class_id, n in group.amounts.items())
            and all(alternatives & p.traits for alternatives in group.required)
            and not p.traits & group.forbidden
            and self.is_member(p, group)
            and not p.aggregates & group.not_member_of
        ]

    def fits(self, provider, class_id, amount):
        room = provider.rooms.get(class_id)
        if room is None or amount % room.step_size:
            return False
        return amount <= room.capacity - room.used and room.min_unit <= amount <= room.max_unit

    def is_member(self, provider, group):
        return all(alternatives & provider.aggregates for alternatives in group.member_of)

    def amounts(self, query, choice):
        amounts = {}
        for group, chosen in zip(query.groups, choice, strict=True):
            for class_id, amount in group.amounts.items():
                key = (chosen[class_id].id, class_id)
                amounts[key] = amounts.get(key, 0) + amount
        return amounts

    def is_legal(self, query, choice, amounts):
        serving = {
            group.suffix: next(iter(chosen.values()))
            for group, chosen in zip(query.groups, choice, strict=True)
            if group.suffix
        }
        if query.isolate and len({p.id for p in serving.values()}) < len(serving):
            return False
        for suffixes in query.same_subtrees:
            ids = [serving[suffix].id for suffix in suffixes]
            if not any(all(top in self.ancestors(below) for below in ids) for top in ids):
                return False
        for (provider_id, class_id), amount in amounts.items():
            room = self.by_id[provider_id].rooms[class_id]
            if room.used + amount > room.capacity or amount > room.max_unit:
                return False
        return True

    def ancestors(self, provider_id):
        ids = []
        while provider_id is not None:
            ids.append(provider_id)
            provider_id = self.by_id[provider_id].parent_id
        return ids

    def uses_a_tree_twice(self, amounts):
        provider_ids = {provider_id for provider_id, _ in amounts}
        return len({self.by_id[i].root_id for i in provider_ids}) < len(provider_ids)
