"""Names whose keys this process has read before, and the proof that they are still valid.

Providers and classes are deleted, an id may be reused, and a database can be restored while the
service runs. So what is remembered is only presumed. A claim that relies on it is stored only if
the claim's own statements prove each name: the statement that advances providers compares their
uuids, and the one that takes capacity has a Proof of all other names as a condition. When a
Proof is checked, the providers are locked, so the classes of their inventories cannot change.
Before that, a class may be replaced, so even names that were read in the same transaction are
proved in this way.

There are more providers than other names, and a worker may not have seen the provider that a
scheduler has chosen. In that case, only the unknown providers are looked up, which is cheaper than
looking up all names.
"""

import itertools
import operator
import threading
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import names_and_ids
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.names_and_ids import NAMED, Names
from placement.db.resource_classes import is_custom
from placement.db.sql import prepared
from placement.db.sql.prepared import ONE
from placement.db.subjects_of_names import Subject

# The most names of each Subject that a process remembers.
MOST_NAMES = 20_000

# The names of each Subject are padded to one of these numbers. There are only a few, because each
# combination of numbers, one for each Subject, needs a statement of its own.
_SIZES = (1, 4, 16, MAX_CONDITIONS)

# The Subjects whose names a Proof proves. The statement that advances providers compares the uuids.
_BY_PROOF = (
    Subject.RESOURCE_CLASSES,
    Subject.PROJECTS,
    Subject.USERS,
    Subject.CONSUMER_TYPES,
)
_REMEMBERED = (Subject.PROVIDERS, *_BY_PROOF)


class Presumed(Names):
    """Names that were true when they were remembered, and the generations that clients expect.

    Some providers may be missing: see RememberedNames.find_providers.
    """

    __slots__ = ()


class RememberedNames:
    """The keys of names that were resolved before."""

    def __init__(self):
        self._keys = {subject: {} for subject in _REMEMBERED}
        self._lock = threading.Lock()

    def presume(self, consumers, wanted):
        """Return the Presumed names for `wanted`; None if they cannot be presumed.

        That is so if a name other than a provider's is not remembered, or if there are too many
        names for a Proof.
        consumers: {uuid: generation that the client expects}
        wanted: {Subject: names}
        """
        if sum(map(len, wanted.values())) > MAX_CONDITIONS:
            return None
        presumed = Presumed(*({} for _ in Presumed._fields))._replace(consumers=consumers)
        for subject in _REMEMBERED:
            # Both are {name: key}: of all names that are remembered, and of those presumed.
            remembered, keys = self._keys[subject], presumed.ids_of(subject)
            for name in wanted[subject]:
                if (key := remembered.get(name)) is not None:
                    keys[name] = key
                elif subject is not Subject.PROVIDERS:
                    return None
        return presumed

    def find_providers(self, conn, presumed, uuids):
        """Look up providers that are missing from Presumed names, and add those that exist.

        uuids: the set of the uuids of all wanted providers
        Cost: one query; none if all are remembered.
        """
        if unknown := uuids - presumed.providers.keys():
            existing = names_and_ids.resolve(conn, providers=unknown).providers
            self.learn(Subject.PROVIDERS, existing)
            presumed.providers.update(existing)

    def remember(self, names):
        """Remember Names; other transactions must already see these names."""
        for subject in _REMEMBERED:
            self.learn(subject, names.ids_of(subject))

    def learn(self, subject, keys):
        """Remember {name: key} of one Subject; other transactions must already see these names.

        If more than MOST_NAMES are then remembered, the oldest are forgotten.
        """
        with self._lock:
            known = self._keys[subject]
            known |= keys
            for name in list(itertools.islice(known, max(0, len(known) - MOST_NAMES))):
                del known[name]

    def forget(self, names):
        """Forget the keys of Names, some of which are wrong by now."""
        with self._lock:
            for subject in _REMEMBERED:
                for name in names.ids_of(subject):
                    self._keys[subject].pop(name, None)


class Proof(NamedTuple):
    """What a statement needs to prove names: the `shape` for conditions(), and the parameters.

    `shape` has a pair for each Subject: (Subject, number of names that there are parameters for).
    """

    shape: tuple
    parameters: dict


NOTHING_TO_PROVE = Proof((), {})


def proofs_of(names):
    """Return Proofs of Names: at least one, each of no more names than a statement can prove."""
    # The names of a Subject are sorted by key, and names with the same key by name.
    triples = [
        (subject, key, name)
        for subject in _BY_PROOF
        for name, key in sorted(names.ids_of(subject).items(), key=operator.itemgetter(1, 0))
        # The ids of standard classes never change.
        if subject is not Subject.RESOURCE_CLASSES or is_custom(key)
    ]
    return [*map(_proof_of, chunks(triples, MAX_CONDITIONS))] or [NOTHING_TO_PROVE]


def _proof_of(triples):
    """Return the Proof of triples (subject, key, name), which are grouped by subject."""
    shape, parameters = [], {}
    for subject, of_subject in itertools.groupby(triples, operator.itemgetter(0)):
        rows = prepared.padded([(name, key) for _, key, name in of_subject], _SIZES)
        parameters |= prepared.values(rows, f"{subject}_name", f"{subject}_key")
        shape.append((subject, len(rows)))
    return Proof(tuple(shape), parameters)


def conditions(shape):
    """The conditions that each name still has the key that the parameters of a Proof give for it.

    shape: the `shape` of the Proof
    """
    return [
        _has_key(subject, name, key)
        for subject, count in shape
        for name, key in prepared.numbered(count, f"{subject}_name", f"{subject}_key")
    ]


def _has_key(subject, name, key):
    """The condition that a name of a Subject has a key; both are parameters."""
    own_name, own_key = NAMED[subject]
    found = sa.select(sa.func.count()).where(own_key == key, own_name == name)
    return found.scalar_subquery() == ONE


def is_true(conn, proof):
    """Return whether a Proof holds. Cost: one query; none if there is nothing to prove."""
    if not proof.parameters:
        return True
    return _query(proof.shape).execute(conn, proof.parameters).first() is not None


@prepared.for_each_shape
def _query(shape):
    return sa.select(ONE).where(*conditions(shape))
