"""The hosts of a cloud after assumed changes, read only when they are needed."""

from placement.candidates import forests, resolution
from placement.candidates.fits import what_if
from placement.db import inventories as db_inventories
from placement.db.search import every_tree, sharing_providers


class AssumedCloud:
    """All hosts but the excluded ones, and then the added ones.

    shared  {root id: Providers} of the trees with sharing providers. All Forests have the same
            Providers, so what is claimed from them in one Forest is gone in the next
    models  {root id of an added tree: (the root id of its model, its number)}
    """

    def __init__(self, conn, names, excluded, added, ratios, effort):
        """Read the trees that all Forests need. Raises: SpentError.

        names     the Names of what a query asks for
        excluded  the ids of the roots of hosts to leave out
        added     {root id: how many trees like that one to add}
        ratios    {class_id: allocation_ratio}
        """
        self._conn = conn
        self._excluded = excluded
        self._ratios = ratios
        self._effort = effort
        # The first Forest already needs all trees with sharing providers, and the hosts to add need
        # the hosts that they are modelled on.
        sharing_trait_id = resolution.sharing_trait_id(names.traits)
        sharing = sharing_providers.find(conn, sharing_trait_id)
        sharing_roots = {provider.root_id for provider in sharing}
        wanted = every_tree.Wanted.of(names)
        trees = self._changed(every_tree.trees_of(conn, sharing_roots | added.keys(), wanted))
        self._wanted = wanted.with_aggregates_of(sharing, trees)
        effort.add_objects(sum(len(trees[root_id]) * n for root_id, n in added.items()))
        self._added, self.models = what_if.added_trees(trees, added)
        # Root id -> the Providers of a tree as claims have left them.
        self._kept = {}
        # The most providers that have been read in one pass; each pass starts at the oldest host.
        self._most_read = 0
        self.shared = {
            root_id: tree
            for root_id, tree in (trees | self._added).items()
            if root_id not in excluded
            and any(sharing_trait_id in provider.traits for provider in tree)
        }
        self._sharing_ids = [
            provider.id
            for tree in self.shared.values()
            for provider in tree
            if sharing_trait_id in provider.traits
        ]

    def keep(self, filled):
        """Keep a tree as the claims of a FilledAnchor left it, for the next call of `forests`."""
        self._kept[filled.root_id] = filled.tree

    def forests(self):
        """Yield the Forests, the oldest hosts first. Claims on them are forgotten, unless kept.

        Raises: SpentError, because reading the hosts again takes effort.
        """
        count = 0
        for trees in every_tree.batches(self._conn, self._wanted, every_tree.AT_ONCE):
            read = {root_id: trees.providers(root_id) for root_id in trees.members}
            self._effort.check_abort_now()
            before, count = count, count + sum(map(len, read.values()))
            self._count(before, count)
            changed = self._changed(read)
            kept = {root_id: self._kept[root_id] for root_id in self._kept.keys() & changed.keys()}
            yield self._forest(what_if.without(changed | kept, self._excluded))
        if self._added:
            yield self._forest(self._added)

    def _count(self, before, read):
        """Count the effort of reading a batch: the providers from position `before` up to `read`.

        The first time providers are read, they raise the bound; reading them again counts as work.
        """
        if read > self._most_read:
            self._most_read = read
            self._effort.allow_for(read - before)
        else:
            self._effort.add_objects(read - before)

    def _changed(self, trees):
        """Return the trees, {root id: Providers}, with the assumed capacities."""
        ids = [each.id for tree in trees.values() for each in tree]
        if not ids:
            return trees
        # Class id -> provider id -> capacity.
        capacities = {
            class_id: db_inventories.capacities_at(self._conn, ids, class_id, ratio)
            for class_id, ratio in self._ratios.items()
        }
        return what_if.with_capacities(trees, capacities) if capacities else trees

    def _forest(self, trees):
        """Return the Forest of {root id: Providers}, with the sharing providers of all trees."""
        all_trees = trees | self.shared
        providers = [provider for tree in all_trees.values() for provider in tree]
        return forests.build(providers, self._sharing_ids, root_ids=trees)
