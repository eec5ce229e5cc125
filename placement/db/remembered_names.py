"""Names whose keys this process has seen before, and the proof that they are still true.

Providers and classes are deleted, an id may be reused, and a database can be restored while
the service runs. So what is remembered is only presumed, and no claim that relies on it is stored
unless its own statements prove each name: the one that advances providers compares
their uuids, and the one that takes capacity has a Proof of all other names as a condition. By then
the providers are locked, so a class that one of them has cannot change. Until then it may
be replaced, so names that the transaction itself has read are proved in the same way.

There are more providers than other names, and a worker may not have seen the one that a scheduler
has chosen. Only those are looked up then, which is cheaper than looking up all names.
"""

import collections
import functools
import itertools
import operator
import threading
from typing import NamedTuple

import sqlalchemy as sa

from placement.db.names import NAMED, Names
from placement.db.resource_classes import FIRST_CUSTOM_ID
from placement.db.sql import prepared
from placement.db.sql.chunks import MAX_CONDITIONS, chunks
from placement.db.sql.prepared import Prepared

# How many names of each kind a process remembers.
MOST_NAMES = 20_000

_BY_PROOF = ("resource_classes", "projects", "users", "consumer_types")
_KINDS = ("providers", *_BY_PROOF)


class Presumed(Names):
    """Names that were true when they were remembered, and the generations that clients expect.

    Some providers may be missing: see Memory.find_providers.
    """

    __slots__ = ()


class Memory:
    """The keys of names that were resolved before.

    ends_of_provider_ids: the lowest and the highest id at the last look; see roots.any_one
    last_texts: {number: (text, what was parsed of it)}; see search/small_cloud.py
    queries_without_look: how many more will take the cloud for a large one
    """

    def __init__(self):
        self.ends_of_provider_ids = (0, 0)
        self.last_texts = {}
        self.queries_without_look = 0
        self._keys = {kind: {} for kind in _KINDS}
        self._lock = threading.Lock()

    def presume(self, consumers, wanted):
        """Return the Presumed names of what is `wanted`: {kind: names}.

        None if a name other than a provider's is not remembered, or if there are too many for a
        Proof. `consumers` is {uuid: generation}.
        """
        if sum(map(len, wanted.values())) > MAX_CONDITIONS:
            return None
        presumed = Presumed(*({} for _ in Presumed._fields))._replace(consumers=consumers)
        for kind in _KINDS:
            keys, found = self._keys[kind], getattr(presumed, kind)
            for name in wanted[kind]:
                if (key := keys.get(name)) is not None:
                    found[name] = key
                elif kind != "providers":
                    return None
        return presumed

    def find_providers(self, conn, presumed, uuids):
        """Look up providers that are not remembered, and add those that exist to Presumed names.

        Cost: one query; none if all are remembered.
        """
        if unknown := uuids - presumed.providers.keys():
            found = _provider_ids(conn, unknown)
            self.learn("providers", found)
            presumed.providers.update(found)

    def remember(self, names):
        """Remember Names that other transactions can see."""
        for kind in _KINDS:
            self.learn(kind, getattr(names, kind))

    def learn(self, kind, keys):
        """Remember {name: key} of one kind, which other transactions can see."""
        with self._lock:
            known = self._keys[kind]
            known |= keys
            for name in list(itertools.islice(known, max(0, len(known) - MOST_NAMES))):
                del known[name]

    def forget(self, names):
        with self._lock:
            for kind in _KINDS:
                for name in getattr(names, kind):
                    self._keys[kind].pop(name, None)


def _provider_ids(conn, uuids):
    """Return {uuid: id} of those providers that exist."""
    parameters = prepared.values(((uuid,) for uuid in uuids), "uuid")
    rows = _ids_query_for(len(uuids)).execute(conn, parameters)
    # A database may ignore case; the API does not.
    return {uuid: key for uuid, key in rows if uuid in uuids}


@functools.lru_cache
def _ids_query_for(count):
    own_uuid, key = NAMED["providers"]
    wanted = [uuid for (uuid,) in prepared.numbered(count, "uuid")]
    return Prepared(sa.select(own_uuid, key).where(own_uuid.in_(wanted)))


class Proof(NamedTuple):
    """What a statement needs to prove names: the `shape` for `conditions`, and the parameters.

    `shape` says, for each kind, how many names each of its keys has.
    """

    shape: tuple
    parameters: dict


NOTHING_TO_PROVE = Proof((), {})


def proofs_of(names):
    """Return the Proofs of Names, at least one, each for as many as one statement can prove."""
    pairs = [
        (kind, key, name)
        for kind in _BY_PROOF
        for name, key in sorted(getattr(names, kind).items(), key=operator.itemgetter(1, 0))
        # The ids of standard classes never change.
        if kind != "resource_classes" or key >= FIRST_CUSTOM_ID
    ]
    return [*map(_proof_of, chunks(pairs, MAX_CONDITIONS))] or [NOTHING_TO_PROVE]


def _proof_of(pairs):
    shape, parameters = [], {}
    for kind, of_kind in itertools.groupby(pairs, operator.itemgetter(0)):
        keys = [(name, key) for _, key, name in of_kind]
        counts = collections.Counter(key for _, key in keys)
        shape.append((kind, tuple(counts.values())))
        parameters |= prepared.values(keys, f"{kind}_name", f"{kind}_key")
    return Proof(tuple(shape), parameters)


def conditions(shape):
    """The conditions that all names have the keys given by the parameters of a Proof."""
    return [_all_are_true(kind, counts) for kind, counts in shape]


def _all_are_true(kind, counts):
    """The condition for one kind.

    Two names with one key are true only if the database takes them for the same.
    """
    column, key = NAMED[kind]
    pairs = iter(prepared.numbered(sum(counts), f"{kind}_name", f"{kind}_key"))
    has_its_names = [
        sa.and_(
            *(
                sa.and_(key == its_key, column == name)
                for name, its_key in itertools.islice(pairs, count)
            )
        )
        for count in counts
    ]
    found = sa.select(sa.func.count()).where(sa.or_(*has_its_names))
    return found.scalar_subquery() == sa.literal_column(str(len(counts)), sa.Integer)


def is_true(conn, proof):
    """Cost: one query; none if there is nothing to prove."""
    if not proof.shape:
        return True
    return _query_for(proof.shape).execute(conn, proof.parameters).first() is not None


@functools.lru_cache
def _query_for(shape):
    return Prepared(sa.select(sa.literal_column("1")).where(*conditions(shape)))
