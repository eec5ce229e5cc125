"""The fewest consumers whose removal makes room at an anchor; pure.

Consumers that hold the same amounts of what the request could use are interchangeable at an anchor,
so choices are made among the distinct sets of amounts. At every host, all choices of one consumer
are tried, then all choices of two, and so on: the first choice that makes room is the smallest.
"""

import collections
import itertools

from placement.candidates.solver import anchors


class Removable:
    """The consumers whose removal could make room at one anchor.

    ids_by_amounts  {((provider_id, class_id, amount), ...): the ids of those that hold just that}
    """

    def __init__(self, forest, root_id, prepared, ids_by_amounts):
        """`prepared`: the PreparedQuery."""
        self.root_id = root_id
        self._forest = forest
        self._prepared = prepared
        self._ids_by_amounts = ids_by_amounts
        self._largest_first = sorted(ids_by_amounts, key=_total, reverse=True)

    @property
    def is_promising(self):
        """Whether there is room once all of the consumers have gone. Raises: SpentError."""
        return self._has_room({amounts: len(ids) for amounts, ids in self._ids_by_amounts.items()})

    def __len__(self):
        """Return the number of consumers."""
        return sum(map(len, self._ids_by_amounts.values()))

    def choice_of(self, number):
        """Return the ids of this many consumers whose removal makes room, or None.

        Raises: SpentError.
        """
        for choice in itertools.combinations_with_replacement(self._largest_first, number):
            self._prepared.effort.add_checks(1)
            counts = collections.Counter(choice)
            if self._exist(counts) and self._has_room(counts):
                return [
                    consumer_id
                    for amounts, count in counts.items()
                    for consumer_id in self._ids_by_amounts[amounts][:count]
                ]
        return None

    def _exist(self, counts):
        """Return whether there are enough consumers to remove; `counts` is {amounts: how many}."""
        return all(count <= len(self._ids_by_amounts[each]) for each, count in counts.items())

    def _has_room(self, counts):
        """Return whether there is room without some consumers; `counts` is {amounts: how many}."""
        self._give(counts, sign=-1)
        try:
            return anchors.has_candidate(self._forest, self.root_id, self._prepared)
        finally:
            self._give(counts, sign=1)

    def _give(self, counts, sign):
        """Remove consumers (-1), or put them back (1); `counts` is {amounts: how many}."""
        for amounts, count in counts.items():
            for provider_id, class_id, amount in amounts:
                rooms = self._forest.providers[provider_id].rooms
                room = rooms[class_id]
                rooms[class_id] = room._replace(used=room.used + sign * count * amount)


def consumers_by_amounts(offered, class_ids, local, shared):
    """Return {((provider_id, class_id, amount), ...): ids of the consumers that hold just that}.

    An amount counts only if a request for these classes could use it on the providers offered.
    local   {id of a consumer in the tree: what it holds}
    shared  {what consumers hold on sharing providers: the ids of these consumers}
    What they hold is a tuple of HeldOnProviders.
    """
    rooms_by_provider_id = {provider.id: provider.rooms for provider in offered}
    ids_by_amounts = collections.defaultdict(list)
    for consumer_id, held in local.items():
        if amounts := _useful_amounts(held, rooms_by_provider_id, class_ids):
            ids_by_amounts[amounts].append(consumer_id)
    for held, consumer_ids in shared.items():
        if amounts := _useful_amounts(held, rooms_by_provider_id, class_ids):
            ids_by_amounts[amounts] += [key for key in consumer_ids if key not in local]
    return {amounts: ids for amounts, ids in ids_by_amounts.items() if ids}


def _useful_amounts(held, rooms_by_provider_id, class_ids):
    """Return each (provider_id, class_id, amount) held on these providers, of these classes.

    held: HeldOnProviders
    """
    return tuple(
        (each.provider_id, class_id, amount)
        for each in held
        if each.provider_id in rooms_by_provider_id
        for class_id, amount in each.amounts
        if class_id in class_ids and class_id in rooms_by_provider_id[each.provider_id]
    )


def _total(amounts):
    """Return a sort key: the sum of the amounts, then the amounts themselves."""
    return sum(amount for _, _, amount in amounts), amounts
