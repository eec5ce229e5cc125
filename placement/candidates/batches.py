"""The trees that may have candidates, read in batches as the search gets to them."""

import bisect
import enum
import functools
import random

from placement.candidates import feasible, forests
from placement.db import names_and_ids
from placement.db.search import forests as db_forests
from placement.db.search import narrowing, provider_sets, rarest_condition, roots


class Order(enum.Enum):
    """The order in which roots are searched.

    search.py decides which one a search uses. A ROTATED order starts at a random root, drawn by
    small_or_large_cloud.py in a large cloud and by small_trees.py in a small one.
    """

    CREATED = "the oldest first"
    ROTATED = "the same, beginning anywhere and wrapping around"
    RANDOM = "any"


class FeasibleTrees:
    """The trees of the feasible roots of a ResolvedQuery.

    vocabulary: the names for the keys of everything that has been read
    host_count: the number of feasible roots read so far
    nowhere: the constraints known to be met by no provider; see feasible.nowhere
    """

    def __init__(self, vocabulary, host_count, nowhere):
        self.vocabulary = vocabulary
        self.host_count = host_count
        self.nowhere = nowhere

    def forests(self):
        """Yield the Forests.

        The first is small, but probably enough for the wanted candidates. If many are wanted and
        the query has granular groups, there is a second one of the same size. The last Forest has
        all other roots. If all candidates are wanted, there is only one Forest.
        """
        raise NotImplementedError


class Batches(FeasibleTrees):
    """The FeasibleTrees of a large cloud."""

    def __init__(
        self, database, query, sharing, wanted, order=Order.CREATED, first_root_id=0
    ):
        """`sharing`: all the SharingProviders; `wanted`: how many candidates, None for all.

        `first_root_id` is where a ROTATED order begins.
        """
        nothing_read = names_and_ids.Vocabulary(class_names={}, trait_names={})
        super().__init__(nothing_read, host_count=0, nowhere=())
        self._database = database
        self._query = query
        self._sharing = sharing
        self._with_aggregates = bool(sharing) or any(
            group.member_of or group.not_member_of for group in query.groups
        )
        # The number of trees in each Forest except the last.
        self._sizes = iter(sizes(query, wanted))
        # The ranges of root ids that are still to be read.
        self._spans = _spans_from(first_root_id)
        self._order = order
        self._at_random = order is Order.RANDOM
        # To choose at random, the database looks at every root, as if all were wanted.
        self._wanted = None if self._at_random else wanted
        # Whether `_narrow` has been called, which happens at most once.
        self._is_narrowed = False
        # The remaining roots, once they are listed; until then, they are in the spans.
        self._listed = []
        # The Forests that were read by `read_ahead`.
        self._ahead = []

    @functools.cached_property
    def _conditions(self):
        """What a root has to meet: conditions for db.search.roots.batch."""
        sharing_ids = frozenset(provider.id for provider in self._sharing)
        return list(roots.conditions_for(self._query, sharing_ids))

    def read_ahead(self, conn):
        """Read the first Forest in the transaction of `conn`; each later one is read in its own."""
        forest = self._read(conn)
        if forest is not None:
            self._ahead.append(forest)

    def forests(self):
        """Yield the Forests, a small one first; no transaction is open between them.

        Cost: at most three queries for each Forest, one more where the order wraps around, and four
            to find out which roots to read.
        """
        yield from self._ahead
        while self._spans or self._listed:
            with self._database.reader() as conn:
                forest = self._read(conn)
            if forest is not None:
                yield forest

    def _read(self, conn):
        """Return the next Forest, or None after the last."""
        providers = self._next_trees(conn, next(self._sizes, None))
        root_ids = forests.roots_of(providers)
        if not root_ids:
            return None
        if self._at_random:
            random.shuffle(root_ids)
        elif self._order is Order.ROTATED and not self.host_count:
            # The roots of the first Forest are rotated, too. Without this, a feasible root that
            # follows many infeasible ones would be chosen too often.
            cut = random.randrange(len(root_ids))
            root_ids = root_ids[cut:] + root_ids[:cut]
        self.host_count += len(root_ids)
        sharing_roots = {provider.root_id for provider in self._sharing}
        if sharing_roots_not_read := sharing_roots.difference(root_ids):
            providers += db_forests.providers_of(conn, sharing_roots_not_read)
        self._learn_names(conn, providers)
        return forests.build(providers, [provider.id for provider in self._sharing], root_ids)

    def _next_trees(self, conn, size):
        """Return the Providers of at most `size` more trees; a `size` of None means all trees."""
        if self._listed:
            return self._take_listed(conn, size)
        # If the order still has to wrap around, `wrapped` has the span that comes after that.
        first, *wrapped = self._spans
        # A window has the next few roots, feasible or not. Usually it has enough feasible ones, and
        # nothing else needs to be read.
        providers, window = [], narrowing.first_window(size, self._at_random)
        if window is not None:
            providers = self._take(conn, size, window)
            if len(forests.roots_of(providers)) == size:
                return providers
        if not self._is_narrowed:
            # If the order still has to wrap around, any root may matter.
            seen = 0 if wrapped or window is None else window
            self._narrow(conn, 0 if wrapped else first.after, seen)
        if self._listed:
            left = None if size is None else size - len(forests.roots_of(providers))
            return providers + self._take_listed(conn, left)
        while self._spans and (size is None or len(forests.roots_of(providers)) < size):
            left = None if size is None else size - len(forests.roots_of(providers))
            providers += self._take(conn, left)
        return providers

    def _take(self, conn, size, window=None):
        """Return the Providers of the next trees of the first span, and shorten that span.

        size    how many trees at most; None for all
        window  how many roots of the span to look at; None for all
        """
        span = self._spans[0]
        batch = roots.batch(self._conditions, span, size, window, self._at_random)
        providers = db_forests.providers(conn, batch, self._with_aggregates)
        root_ids = forests.roots_of(providers)
        if len(root_ids) != size and window is None:
            # The whole span has been searched, and has no feasible roots left.
            del self._spans[0]
        elif self._at_random:
            # The roots that were taken may be anywhere in the span, so it cannot be shortened.
            self._conditions.append(roots.not_among(root_ids))
        elif root_ids:
            self._spans[0] = span._replace(after=root_ids[-1])
        return providers

    def _take_listed(self, conn, size):
        """Return the Providers of the next trees that are listed."""
        taken = self._listed[:size]
        del self._listed[:size]
        providers = db_forests.providers_of(conn, taken, self._with_aggregates)
        # They are read in the order of ids, but where the order has wrapped around, smaller ids
        # come last.
        return sorted(providers, key=lambda provider: provider.root_id < taken[0])

    def _narrow(self, conn, after, seen):
        """Find out whether only a few roots, or none, can be feasible. If so, keep only these.

        Only roots with ids above `after` matter; the first `seen` of them have been read already.
        """
        self._is_narrowed = True
        needed, excluded = feasible.needed(self._query), feasible.excluded(self._query)
        largest_id = narrowing.largest_id_in_sets(self._wanted, len(needed), len(excluded))
        if largest_id is not None:
            # `sets` is None if there are too many providers, or if no provider meets some of the
            # Requirements, which are then `missing`.
            sets, missing = provider_sets.read(
                conn, needed, excluded, self._sharing, largest_id
            )
            if sets is not None:
                self._list(feasible.root_ids(self._query, sets))
                return
            if missing:
                self.nowhere = feasible.nowhere(self._query, missing)
                self._spans.clear()
                return
        # `few` has all feasible roots, and perhaps others; it is None if they are too many.
        few = rarest_condition.few_roots(conn, needed, self._sharing, after, seen)
        if few is not None:
            self._conditions.insert(0, roots.among(few))
            self._spans = [span for span in self._spans if any(map(span.has, few))]

    def _list(self, root_ids):
        """Replace the spans with a list: those of the sorted `root_ids` that are in the spans."""
        for span in self._spans:
            end = None if span.up_to is None else bisect.bisect(root_ids, span.up_to)
            self._listed += root_ids[bisect.bisect(root_ids, span.after) : end]
        if self._at_random:
            random.shuffle(self._listed)
        self._spans.clear()

    def _learn_names(self, conn, providers):
        """Add the names of the providers' classes and traits to the vocabulary."""
        known = self.vocabulary
        class_ids = {class_id for provider in providers for class_id in provider.rooms}
        trait_ids = frozenset().union(*{provider.traits for provider in providers})
        class_ids -= known.class_names.keys()
        trait_ids -= known.trait_names.keys()
        if class_ids or trait_ids:
            new = names_and_ids.by_ids(conn, class_ids=class_ids, trait_ids=trait_ids)
            known.class_names.update(new.class_names)
            known.trait_names.update(new.trait_names)


def sizes(query, wanted):
    """Return the number of roots in each Forest except the last."""
    return narrowing.sizes(any(group.is_granular for group in query.groups), wanted)


def _spans_from(root_id):
    """Return the spans of all roots, starting from one of them and wrapping around."""
    if root_id == 0:
        return [roots.EVERYWHERE]
    # A Span begins above its `after`, so the root itself is in the first one.
    return [roots.Span(root_id - 1, None), roots.Span(0, root_id - 1)]
