"""Where a search reads from: a small cloud that was read whole, or a large one, in batches."""

import contextlib

from placement.candidates import name_lookup, resolution, small_trees
from placement.candidates.batches import Batches, Order
from placement.db import resource_providers as db_providers
from placement.db.search import rotation_start, sharing_providers, small_cloud


@contextlib.contextmanager
def choose(database):
    """Yield the Source for one query: a SmallCloud if possible, else a LargeCloud.

    Inside the context, the Source reads from one snapshot.
    """
    cloud = small_cloud.read(database)
    if cloud is not None:
        yield SmallCloud(cloud)
        return
    with database.reader() as conn:
        yield LargeCloud(database, conn)


class Source:
    """What a search reads from."""

    def look_up(self, query):
        """Return the Names of a CandidateQuery.

        Raises: UnknownTraits for traits of the root, whatever else is unknown.
        """
        raise NotImplementedError

    def trees(self, query, wanted, order=Order.CREATED):
        """Return the FeasibleTrees of a ResolvedQuery; `wanted` is None for all candidates."""
        raise NotImplementedError

    def later_trees(self, query):
        """Return the FeasibleTrees for one candidate; works even after the context has ended."""
        raise NotImplementedError

    def has_member_of(self, sets):
        """Return whether some provider is in an aggregate of each set.

        Works even after the context has ended.
        """
        raise NotImplementedError


class SmallCloud(Source):
    """A cloud that was read whole."""

    def __init__(self, cloud):
        self._cloud = cloud

    def look_up(self, query):
        names = self._cloud.names
        resolution.refuse_unknown_of_root(query, names)
        return names

    def trees(self, query, wanted, order=Order.CREATED):
        return small_trees.feasible_trees(query, self._cloud, wanted, order)

    def later_trees(self, query):
        return self.trees(query, wanted=1)

    def has_member_of(self, sets):
        members = (self._cloud.aggregates.having_any(each) for each in sets)
        return bool(frozenset.intersection(*members))


class LargeCloud(Source):
    """A cloud from which only what a query needs is read."""

    def __init__(self, database, conn):
        self._database = database
        self._conn = conn
        # The SharingProviders; `look_up` finds them.
        self._sharing = ()

    def look_up(self, query):
        names = name_lookup.look_up(self._conn, query)
        sharing_trait_id = resolution.sharing_trait_id(names.traits)
        self._sharing = sharing_providers.find(self._conn, sharing_trait_id)
        return names

    def trees(self, query, wanted, order=Order.CREATED):
        """Return the Batches of a ResolvedQuery; their first Forest has been read already."""
        first_root_id = 0
        if order is Order.ROTATED:
            first_root_id = rotation_start.draw(self._conn, self._database.caches.provider_ids)
        batches = Batches(self._database, query, self._sharing, wanted, order, first_root_id)
        batches.read_ahead(self._conn)
        return batches

    def later_trees(self, query):
        return Batches(self._database, query, self._sharing, wanted=1)

    def has_member_of(self, sets):
        filters = db_providers.Filters(member_of=sets)
        with self._database.reader() as conn:
            return bool(db_providers.list_matching(conn, filters))
