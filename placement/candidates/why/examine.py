"""Why there are no candidates, or few: every host is checked, constraint by constraint; pure.

The predicates of the search show what a host does not meet, and the search itself shows what would
help: it searches the host again, with a constraint given up or with smaller_amounts.
Source: doc/how-to/no-valid-host.rst.
"""

import functools
import heapq
import itertools
from collections import Counter
from types import MappingProxyType

from placement import constants
from placement.candidates import constraints
from placement.candidates.constraints import TOGETHER_UNMET
from placement.candidates.kinds.constraint import Host, Unmet
from placement.candidates.solver import anchors
from placement.candidates.why import equal_hosts, smaller_amounts, together
from placement.candidates.why.tally import Close, Count, Relaxation

_NOBODY = MappingProxyType({})

# At most this many PreparedQueries of each kind are kept.
_MOST_PREPARED = 100


class Explanation:
    """Why the hosts of some forests have candidates for a ResolvedQuery, or have none.

    hosts         how many there are
    passing       how many have candidates
    candidates    how many there are, up to constants.MOST_COUNTED_CANDIDATES
    counts        a Count for each constraint, in the order of the query
    closest       the Closes, closest first
    Memory: the same for any number of hosts.
    """

    def __init__(self, query, one_provider_per_tree, closest, effort, corrections, refused):
        """Begin with no hosts.

        closest      how many of the closest hosts to keep
        corrections  {Constraint: [the same one with a name corrected, likeliest first]}
        refused      {Constraint: the same one without unknown names; None if no name is left}
        """
        self.query = query
        self._corrections = corrections
        self._refused = refused
        self.hosts = 0
        self.passing = 0
        self.candidates = 0
        # The candidates counted so far, as the search remembers them.
        self._seen = set()
        self._single = constraints.of_query(query)
        self._binding = constraints.binding(query)
        self._by_group = constraints.by_group(query)
        self._without_resources = {group.suffix for group in query.groups if not group.amounts}
        self._constraints = [*self._single, *self._binding, TOGETHER_UNMET.constraint]
        self._index = {each: index for index, each in enumerate(self._constraints)}
        self._counts = [Count(each) for each in self._constraints]
        self._amounts = smaller_amounts.Smaller(query)
        # For each constraint: {replacement: how many hosts would have candidates with it}. A
        # replacement is a correction, or the largest amount that helps a host so far.
        self._hosts_helped = {each: Counter() for each in self._single}
        # Constraint -> the same one with the largest amount that helps a host so far.
        self._largest = {}
        # (constraint, its replacement or None) -> the root of the first host that it helps.
        self._examples = {}
        # A heap of (*a sort key, Close), with the farthest host first.
        self._closest = []
        self._most_closest = closest
        self._one_provider_per_tree = one_provider_per_tree
        self._effort = effort
        self._prepared = self._prepare(query)
        # These are cached: many hosts have the same amount free and fail the same constraints.
        cached = functools.lru_cache(_MOST_PREPARED)
        self._prepared_with = cached(self._prepare_instead)
        self._prepared_without = cached(self._prepare_without)
        self._prepared_bound_by = cached(self._prepare_bound)

    def _prepare(self, query):
        return anchors.prepare(query, self._one_provider_per_tree, self._effort)

    def _prepare_instead(self, constraint, other):
        return self._prepare(constraints.replaced(self.query, constraint, other))

    def _prepare_without(self, constraint):
        return self._prepare(constraints.without(self.query, constraint))

    def _prepare_bound(self, kept=None):
        """Return the PreparedQuery in which only the `kept` Constraint, if any, binds groups."""
        return self._prepare(constraints.bound_only_by(self.query, [] if kept is None else [kept]))

    def examine(self, forest, alike=_NOBODY):
        """Examine every host of a forest, and count it together with the hosts that are like it.

        alike: {root id: {root id of a host like it, or its own: ids of the providers in its tree}}
        Order: by the ids of the roots; of hosts that are alike, the forest contains only the first.
        Raises: SpentError.
        """
        for root_id in forest.root_ids:
            trees = alike.get(root_id) or {root_id: [each.id for each in forest.trees[root_id]]}
            hosts = len(trees)
            self.hosts += hosts
            host = Host(forest.providers[root_id], forest.offered(root_id))
            self._effort.add_reasons(len(self._single) * len(host.offered))
            unmet = constraints.unmet(host, self._by_group)
            if not unmet and anchors.has_candidate(forest, root_id, self._prepared):
                self.passing += hosts
                self._count_candidates(forest, root_id, hosts)
                continue
            unmet = unmet or self._unmet_by_search(forest, host)
            # Each Unmet is counted, and looked at again for the relaxations.
            self._effort.add_reasons(2 * len(unmet))
            self._count(unmet, hosts)
            self._keep_if_close(trees, unmet)
            self._relax(forest, host, hosts, unmet)

    @property
    def counts(self):
        """A Count for each constraint, and one for hosts that only the search rules out, if any."""
        # How many hosts meet all constraints up to this one. `first` has those that meet all
        # before it, but not this one.
        left = self.hosts
        for count in self._counts:
            left -= count.first.hosts
            count.left = left
        return [each for each in self._counts if each.fail.hosts or each is not self._counts[-1]]

    @property
    def closest(self):
        return [close for *_, close in sorted(self._closest, reverse=True)]

    @property
    def relaxations(self):
        """The Relaxations, most hosts first.

        A misspelt constraint is not given up if a correction helps. An amount is lowered, not given
        up.
        """
        # (Constraint, its replacement or None, how many hosts it helps)
        changes = []
        for count in self._counts:
            constraint = count.constraint
            instead = self._best_instead(constraint)
            if instead is not None:
                changes.append((constraint, instead, self._hosts_helped[constraint][instead]))
            # `only` is how many hosts have no candidates because of this constraint alone.
            elif count.only and constraint.kind.is_given_up:
                changes.append((constraint, None, count.only))
        changes.sort(key=lambda change: -change[-1])
        return [self._relaxation(*change) for change in changes]

    def _relaxation(self, constraint, instead, hosts):
        """Return the Relaxation that replaces a constraint, or gives it up if `instead` is None.

        It helps this number of hosts.
        """
        example = self._examples[constraint, instead]
        # The constraints that change along with it.
        also = [] if instead else constraints.dropped_along_with(self.query, constraint)
        also += self._refused_beside(constraint, {other for other, _ in also})
        if instead is None and constraint.kind.instead is not None:
            instead = constraint._replace(value=constraint.kind.instead)
        return Relaxation(constraint, instead, hosts, example, also)

    def _refused_beside(self, constraint, changed):
        """Return the changes that keep the query from being refused, except those in `changed`."""
        changed = changed | {constraint}
        return [each for each in self._refused.items() if each[0] not in changed]

    def _best_instead(self, constraint):
        """Return the likeliest correction that helps, or the largest amount that does, or None."""
        helpful = self._hosts_helped.get(constraint, ())
        for other in self._corrections.get(constraint, ()):
            if other in helpful:
                return other
        return self._largest.get(constraint)

    def _count_candidates(self, forest, root_id, hosts):
        """Count the candidates of some hosts that are alike, one of which is at this root."""
        self._count_new_candidates(forest, root_id, hosts=1)
        if hosts > 1:
            # Hosts that are alike have the same candidates, except for candidates made of sharing
            # providers alone: those have just been counted, so they are not new any more.
            self._count_new_candidates(forest, root_id, hosts - 1)

    def _count_new_candidates(self, forest, root_id, hosts):
        """Count the candidates at a root that are new, as many times as there are `hosts`."""
        most = constants.MOST_COUNTED_CANDIDATES - self.candidates
        if most:
            new = anchors.at_anchor(forest, root_id, self._prepared, self._seen)
            self.candidates += min(most, hosts * sum(1 for _ in itertools.islice(new, most)))

    def _unmet_by_search(self, forest, host):
        """Return the Unmets that only the search finds: of binding constraints, or TOGETHER."""
        root_id = host.root.id
        # The candidate that the host would have if nothing bound the groups to each other.
        unbound = anchors.first_at(forest, root_id, self._prepared_bound_by())
        if unbound is None:
            self._effort.add_reasons(len(host.offered))
            return [together.unmet(host, self.query)]
        failing = [
            Unmet(constraint, serving=unbound.providers_by_suffix)
            for constraint in self._binding
            if not anchors.has_candidate(forest, root_id, self._prepared_bound_by(constraint))
        ]
        # Each constraint can be met without the others, but not all of them at once.
        return failing or [TOGETHER_UNMET]

    def _count(self, unmet, hosts):
        """Count each Unmet under its constraint; `hosts` is the number of hosts that have them."""
        for each in unmet:
            self._counts[self._index[each.constraint]].fail.add(each, hosts)
        # The Unmets are in the order of the constraints, so this one is about the first unmet
        # constraint.
        self._counts[self._index[unmet[0].constraint]].first.add(unmet[0], hosts)

    def _keep_if_close(self, trees, unmet):
        """Of some hosts that are alike, keep those that are among the closest so far.

        trees: {root id: the ids of the providers in its tree}; unmet: the Unmets of the first host
        """
        constraints_unmet, shortage = constraints.distance(unmet)
        first_ids = next(iter(trees.values()))
        for root_id, ids in trees.items():
            # Of two at the same distance, the one with the lower id is kept.
            place = (-constraints_unmet, -shortage, -root_id)
            if len(self._closest) == self._most_closest:
                # The rest are just as far away, and their ids are higher. (If `_most_closest` is
                # 0, none is kept.)
                if not self._closest or place < self._closest[0]:
                    return
                heapq.heappop(self._closest)
            close = Close(root_id, equal_hosts.unmet_of(unmet, first_ids, ids))
            heapq.heappush(self._closest, (*place, close))

    def _relax(self, forest, host, hosts, unmet):
        """Search a host again without each constraint in turn, and with smaller amounts."""
        needed = {each.constraint for each in unmet if _must_be_given_up(each)}
        # A group that asks for resources is never dropped along with a constraint.
        groups = {each.constraint.group for each in unmet} - {None} - self._without_resources
        if len(needed) > 1 or len(groups) > 1:
            return
        # The last of the constraints is TOGETHER, which cannot be given up.
        for constraint in needed or self._constraints[:-1]:
            self._effort.add_checks(len(unmet) + len(self.query.groups))
            if groups - {constraint.group}:
                # Another group would still not be served.
                continue
            prepared = self._prepared_without(constraint)
            if not _may_help(constraint, prepared.query, unmet):
                continue
            if anchors.has_candidate(forest, host.root.id, prepared):
                self._counts[self._index[constraint]].only += hosts
                self._examples.setdefault((constraint, None), host.root.id)
            elif constraint.kind.is_given_up or not self._amounts.may_help(constraint):
                continue
            for other in self._corrections.get(constraint, ()):
                if self._has_candidate_with(forest, host, constraint, other):
                    self._count_helped(host, hosts, constraint, other)
            if not constraint.kind.is_given_up:
                self._try_amounts(forest, host, hosts, constraint)

    def _try_amounts(self, forest, host, hosts, constraint):
        """Find the largest amount that would do; only the hosts that allow the most are counted."""
        class_id, _ = constraint.value
        known = self._largest.get(constraint)
        least = 1 if known is None else known.value[1]

        def would_do(amount):
            other = constraint._replace(value=(class_id, amount))
            return self._has_candidate_with(forest, host, constraint, other)

        amount = self._amounts.largest(host, constraint, least, would_do)
        if not amount:
            return
        if known is not None and amount > least:
            del self._hosts_helped[constraint][known], self._examples[constraint, known]
        self._largest[constraint] = constraint._replace(value=(class_id, amount))
        self._count_helped(host, hosts, constraint, self._largest[constraint])

    def _has_candidate_with(self, forest, host, constraint, other):
        """Return whether a host has candidates if one constraint is replaced."""
        return anchors.has_candidate(forest, host.root.id, self._prepared_with(constraint, other))

    def _count_helped(self, host, hosts, constraint, other):
        """Count hosts that get candidates if one constraint is replaced."""
        self._hosts_helped[constraint][other] += hosts
        self._examples.setdefault((constraint, other), host.root.id)


def _must_be_given_up(unmet):
    """Return whether nothing helps against an Unmet but giving up its constraint."""
    constraint = unmet.constraint
    return not constraint.group and not constraint.kind.depends_on_rest


def _may_help(constraint, relaxed, unmet):
    """Return whether a host may have candidates without a constraint, given its Unmets.

    `relaxed` is the query without it. If a group is dropped with it, the other constraints of that
    group no longer matter. (An amount is lowered and not given up, so its group stays.) The Unmets
    are only one description of what the host lacks: another provider may meet other constraints of
    a granular group.
    """
    others = [other for other in unmet if other.constraint != constraint]
    if not others:
        return True
    # The groups (None: the whole query) that remain, and those whose Unmets may then be different.
    groups_left = {None, *(group.suffix for group in relaxed.groups)}
    may_change = {None, constraint.group} & groups_left
    if not constraint.kind.is_given_up:
        groups_left.add(constraint.group)
    return all(
        other.constraint.group not in groups_left
        or (other.constraint.group in may_change and not _must_be_given_up(other))
        for other in others
    )
