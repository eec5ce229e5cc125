"""Names in a query that nothing has, and those that were probably meant.

Source: doc/how-to/no-valid-host.rst.
"""

import contextlib
import difflib
import operator
from typing import NamedTuple

from oslo_utils import uuidutils

from placement import exception
from placement.candidates import resolution
from placement.db import hosts as db_hosts
from placement.db import names as db_names
from placement.db import resource_classes as db_classes
from placement.db import traits as db_traits

_MOST_SUGGESTIONS = 3
_CUSTOM = "CUSTOM_"
# Characters in which a UUID may differ from the one that was meant. (Of two that have nothing to do
# with each other some thirty do.)
_MOST_MISTYPED = 3

RESOURCE_CLASS, TRAIT, AGGREGATE, PROVIDER = KINDS = (
    "resource class",
    "trait",
    "aggregate",
    "provider",
)


class Unknown(NamedTuple):
    """A name that nothing of its kind has, and those that were probably meant.

    meant  {name: key}, likeliest first; the key of a provider is that of its root
    """

    kind: str
    name: str
    meant: dict[str, int]


def unknown_in(conn, query, names):
    """Return the Unknowns of a CandidateQuery, by the Names of what is known of it."""
    return unknown(
        conn,
        **{
            kind: wanted - getattr(names, kind).keys()
            for kind, wanted in resolution.names_in(query).items()
        },
    )


def unknown(conn, *, resource_classes=(), traits=(), aggregates=(), trees=()):
    """Return the Unknowns of sets of names of which each is known to be unknown.

    Cost: one query for each kind of which there are any.
    """
    found = [Unknown(PROVIDER, *each) for each in _mistyped(conn, "trees", trees)]
    found += _misspelt(RESOURCE_CLASS, resource_classes, db_classes.list_all, conn)
    found += _misspelt(TRAIT, traits, db_traits.list_matching, conn)
    found += [Unknown(AGGREGATE, *each) for each in _mistyped(conn, "aggregates", aggregates)]
    return found


def _misspelt(kind, unknown_names, list_rows, conn):
    if not unknown_names:
        return []
    known = {row.name: row.id for row in list_rows(conn)}
    return [
        Unknown(kind, name, {each: known[each] for each in likely(name, known)})
        for name in sorted(unknown_names)
    ]


def _mistyped(conn, kind, unknown_uuids):
    """Yield (a UUID, {one that differs in few characters: its key}); `kind` is one of db.names."""
    if not unknown_uuids:
        return
    known = db_names.all_of(conn, kind)
    for uuid in sorted(unknown_uuids):
        distances = ((sum(map(operator.ne, uuid.lower(), each)), each) for each in known)
        close = sorted(each for each in distances if each[0] <= _MOST_MISTYPED)
        yield uuid, {each: known[each] for _, each in close[:_MOST_SUGGESTIONS]}


def likely(name, known):
    """Return which of the `known` names may be meant by another one, likeliest first.

    Names are compared without the prefix of custom ones, by which any two of them would be alike.
    """
    by_stem = {each.removeprefix(_CUSTOM): each for each in known}
    stem = name.removeprefix(_CUSTOM)
    return [by_stem[each] for each in difflib.get_close_matches(stem, by_stem, _MOST_SUGGESTIONS)]


def sentence(unknown):
    """Return what to say of an Unknown."""
    likely = f"; did you mean {' or '.join(unknown.meant)}?" if unknown.meant else "."
    return f"No {unknown.kind} is called {unknown.name}{likely}"


@contextlib.contextmanager
def corrected(database):
    """Let an error about an unknown name, raised inside, ask whether another one was meant.

    Clients of the API proper know its sentences: this is for what only operators ask.
    """
    try:
        yield
    except (
        exception.UnknownTraits,
        exception.UnknownResourceClass,
        exception.NoSuchHost,
    ) as error:
        with database.reports() as conn:
            meant = _meant(conn, error)
        if meant:
            error.hint = f" Did you mean {' or '.join(meant)}?"
        raise


def _meant(conn, error):
    if isinstance(error, exception.NoSuchHost):
        return _hosts_meant(conn, error.host)
    if isinstance(error, exception.UnknownTraits):
        found = unknown(conn, traits=error.names)
    else:
        found = unknown(conn, resource_classes={error.name})
    return dict.fromkeys(name for each in found for name in each.meant)


def _hosts_meant(conn, text):
    """Return names of hosts: the one that a provider which is none belongs to, or similar ones."""
    host = db_hosts.above(conn, text)
    if host is not None:
        return [host.name]
    if uuidutils.is_uuid_like(text):
        return [uuid for _, meant in _mistyped(conn, "providers", {text}) for uuid in meant]
    return difflib.get_close_matches(text, db_hosts.names(conn), _MOST_SUGGESTIONS)
