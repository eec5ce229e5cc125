"""The trees that may hold candidates, read in batches as the search gets to them."""

from placement.candidates import forests
from placement.db import forests as db_forests
from placement.db import names as db_names
from placement.db import roots

# How many more roots are read at first than candidates are wanted. Most roots give at least one
# candidate, so the others are rarely needed.
SPARE_ROOTS = 10


class Batches:
    """The Forests of the feasible roots of a ResolvedQuery.

    The first is small, and likely to be enough for the candidates that are wanted; the second has
    all other roots. If all candidates are wanted, there is only one Forest.
    vocabulary: the names behind the keys of all that has been read
    hosts: how many feasible roots have been read
    """

    def __init__(self, query, sharing, wanted):
        """`sharing` are all the SharingProviders; `wanted` is None for all candidates."""
        self.vocabulary = db_names.Vocabulary({}, {})
        self.hosts = 0
        self._conditions = roots.conditions_for(query, sharing)
        self._sharing = sharing
        self._with_aggregates = bool(sharing) or any(
            group.member_of or group.not_member_of for group in query.groups
        )
        self._sizes = [None] if wanted is None else [wanted + SPARE_ROOTS, None]
        self._last_root_id = 0
        self._ahead = []

    def read_ahead(self, conn):
        """Read the first Forest in the transaction of `conn`; another has one of its own."""
        forest = self._read(conn)
        if forest is not None:
            self._ahead.append(forest)

    def forests(self, database):
        """Yield the Forests. No transaction is open meanwhile.

        Cost: one query, and four for each Forest.
        """
        yield from self._ahead
        while self._sizes:
            with database.reader() as conn:
                forest = self._read(conn)
            if forest is not None:
                yield forest

    def _read(self, conn):
        """Return the next Forest, or None if no root is left."""
        size = self._sizes.pop(0)
        root_ids = roots.batch(conn, self._conditions, self._last_root_id, size)
        if size is not None and len(root_ids) < size:
            self._sizes.clear()
        if not root_ids:
            return None
        self._last_root_id = root_ids[-1]
        self.hosts += len(root_ids)
        tree_ids = sorted({*root_ids, *(provider.root_id for provider in self._sharing)})
        providers = db_forests.providers(conn, tree_ids, self._with_aggregates)
        self._learn_names(conn, providers)
        return forests.build(providers, [provider.id for provider in self._sharing], root_ids)

    def _learn_names(self, conn, providers):
        known = self.vocabulary
        class_ids = {class_id for provider in providers for class_id in provider.rooms}
        trait_ids = frozenset().union(*{provider.traits for provider in providers})
        class_ids -= known.class_names.keys()
        trait_ids -= known.trait_names.keys()
        if class_ids or trait_ids:
            new = db_names.by_ids(conn, class_ids=class_ids, trait_ids=trait_ids)
            known.class_names.update(new.class_names)
            known.trait_names.update(new.trait_names)
