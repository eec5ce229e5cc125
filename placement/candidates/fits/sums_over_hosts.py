"""What is kept about the filled hosts, however many there are; pure."""

import heapq
import itertools
from collections import Counter


class Sums:
    """Sums over FilledAnchors.

    times         how often the request fits
    hosts_by_fit  {how often it fits on a host: how many such hosts}; hosts where it does not fit
                  are left out
    stopped_by    {a class, or a query parameter: how many hosts it stops}
    """

    def __init__(self, class_names, shared, top):
        """Begin with no hosts.

        class_names  {class_id: name} of the classes that the request asks for
        shared       {root_id: the Providers of a tree with sharing providers}
        top          how many hosts to list
        """
        self.times = 0
        self.hosts_by_fit = Counter()
        self.stopped_by = Counter()
        self._class_names = class_names
        self._shared = shared
        # Class id -> the amount that remains free, except in trees with sharing providers.
        self._stranded = Counter()
        # The roots of trees with sharing providers, whose free amounts are not yet known.
        self._shared_stranded = []
        self._top = top
        # A heap of (times, -number, FilledAnchor), with the worst first.
        self._best = []
        self._numbers = itertools.count()

    def add(self, filled):
        """Count a FilledAnchor, and keep it if it is one of the best."""
        self.times += filled.times
        if filled.stopped_by is not None:
            self.stopped_by[self.stop_of(filled)] += 1
            if filled.stopped_by.kind.is_about_room:
                self._strand(filled)
        if filled.times:
            self.hosts_by_fit[filled.times] += 1
            self._keep(filled)

    def stop_of(self, filled):
        """Return the name of the class or constraint that stops a host; None if nothing does."""
        stop = filled.stopped_by
        return None if stop is None else stop.kind.name_of_stop(stop.value, self._class_names)

    @property
    def best(self):
        """The FilledAnchors of the hosts on which it fits most often, in descending order."""
        kept = sorted(self._best, key=lambda item: item[:2], reverse=True)
        return [filled for *_, filled in kept]

    def stranded(self):
        """Return what remains free on hosts that lack nothing but room: {class: amount}.

        Call this only after the last `add`: until then, other hosts may still take from sharing
        trees.
        """
        stranded = self._stranded.copy()
        for root_id in self._shared_stranded:
            self._add_free(stranded, self._shared[root_id])
        return {name: stranded[class_id] for class_id, name in self._class_names.items()}

    def _strand(self, filled):
        """Count what remains free on a host that lacks nothing but room: see `stranded`."""
        if filled.root_id in self._shared:
            self._shared_stranded.append(filled.root_id)
        else:
            self._add_free(self._stranded, filled.tree)

    def _add_free(self, amounts, tree):
        """Add what is free in a tree to {class_id: amount}."""
        for provider in tree:
            for class_id, room in provider.rooms.items():
                if class_id in self._class_names:
                    # Overuse of a provider takes nothing from what is free on the others.
                    amounts[class_id] += max(0, room.free)

    def _keep(self, filled):
        """Keep a FilledAnchor if it is among the best."""
        # Of two hosts on which the request fits equally often, the first is kept.
        item = (filled.times, -next(self._numbers), filled)
        if len(self._best) < self._top:
            heapq.heappush(self._best, item)
        # If `_top` is 0, none is kept.
        elif self._best:
            heapq.heappushpop(self._best, item)
