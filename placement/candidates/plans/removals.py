"""The fewest consumers whose removal makes room at an anchor; pure.

Consumers that hold the same amounts of what the request could use are interchangeable there, so
choices are made among kinds of them. All choices of one, then all of two, and so on are tried at
every host, so the first that makes room is the smallest.
"""

import collections
import itertools

from placement.candidates.solver import search


class Removable:
    """The consumers whose removal could make room at one anchor.

    kinds  {((provider_id, class_id, amount), ...): the ids of the consumers that hold just that}
    """

    def __init__(self, forest, root_id, plan, kinds):
        self.root_id = root_id
        self._forest = forest
        self._plan = plan
        self._kinds = kinds
        self._largest_first = sorted(kinds, key=_amounts, reverse=True)

    @property
    def is_promising(self):
        """Whether there is room once all of them have gone. Raises: SpentError."""
        return self._has_room({kind: len(ids) for kind, ids in self._kinds.items()})

    def __len__(self):
        """Return the number of consumers."""
        return sum(map(len, self._kinds.values()))

    def fewest(self, number):
        """Return the ids of this many consumers whose removal makes room, or None.

        Raises: SpentError.
        """
        for choice in itertools.combinations_with_replacement(self._largest_first, number):
            self._plan.effort.add_checks(1)
            counts = collections.Counter(choice)
            if any(count > len(self._kinds[kind]) for kind, count in counts.items()):
                continue
            if self._has_room(counts):
                return [
                    each for kind, count in counts.items() for each in self._kinds[kind][:count]
                ]
        return None

    def _has_room(self, counts):
        self._give(counts, -1)
        try:
            return search.has_candidate(self._forest, self.root_id, self._plan)
        finally:
            self._give(counts, 1)

    def _give(self, counts, sign):
        for kind, count in counts.items():
            for provider_id, class_id, amount in kind:
                rooms = self._forest.providers[provider_id].rooms
                room = rooms[class_id]
                rooms[class_id] = room._replace(used=room.used + sign * count * amount)


def kinds_at(offered, class_ids, local, shared):
    """Return the `kinds` of Candidates for the providers that an anchor offers.

    local   {id: what a consumer holds, as in a Holder}, of those in the tree
    shared  {what consumers hold of sharing providers: their ids}
    """
    useful = {each.id: each.rooms for each in offered}
    found = collections.defaultdict(list)
    for consumer_id, held in local.items():
        if kind := _kind(held, useful, class_ids):
            found[kind].append(consumer_id)
    for held, consumer_ids in shared.items():
        if kind := _kind(held, useful, class_ids):
            found[kind] += [each for each in consumer_ids if each not in local]
    return {kind: ids for kind, ids in found.items() if ids}


def _kind(held, useful, class_ids):
    return tuple(
        (provider_id, class_id, amount)
        for provider_id, amounts in held
        if provider_id in useful
        for class_id, amount in amounts
        if class_id in class_ids and class_id in useful[provider_id]
    )


def _amounts(kind):
    return sum(amount for _, _, amount in kind), kind
