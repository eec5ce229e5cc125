"""Names in a query that do not exist, and those that were probably meant.

Source: doc/how-to/no-valid-host.rst.
"""

import contextlib

from oslo_utils import uuidutils

from placement import exception
from placement.candidates import close_names, resolution
from placement.candidates.why.unknown_names import Unknown
from placement.constants import CUSTOM
from placement.db import names_and_ids
from placement.db import resource_classes as db_classes
from placement.db import traits as db_traits
from placement.db.search import hosts as db_hosts
from placement.db.subjects_of_names import Subject

# The most names of each Subject that get suggestions: each is compared with all known names.
MOST_CORRECTED = 10


def unknown_in(conn, query, names):
    """Return the Unknowns of a CandidateQuery; `names` are the Names of what is known."""
    return unknown(
        conn,
        **{
            subject: wanted - names.ids_of(subject).keys()
            for subject, wanted in resolution.names_in(query).items()
        },
    )


def unknown(conn, *, resource_classes=(), traits=(), aggregates=(), trees=()):
    """Return the Unknowns for the given names, none of which exists.

    Cost: one query for each Subject that has unknown names.
    """
    unknowns = _mistyped(Subject.TREES, trees, conn)
    unknowns += _misspelt(Subject.RESOURCE_CLASSES, resource_classes, db_classes.list_all, conn)
    unknowns += _misspelt(Subject.TRAITS, traits, db_traits.list_matching, conn)
    unknowns += _mistyped(Subject.AGGREGATES, aggregates, conn)
    return unknowns


def _misspelt(subject, unknown_names, list_rows, conn):
    """Return the Unknowns for names, with the known names that are similar.

    Names are compared without the prefix CUSTOM_, which would make any two of them similar.
    list_rows: returns a row, with an id and a name, for each known name
    """
    if not unknown_names:
        return []
    known = {row.name: row.id for row in list_rows(conn)}
    by_stem = {name.removeprefix(CUSTOM): name for name in known}
    names = close_names.KnownNames(by_stem)
    return _corrected(
        subject,
        unknown_names,
        lambda name: {
            by_stem[stem]: known[by_stem[stem]] for stem in names.like(name.removeprefix(CUSTOM))
        },
    )


def _mistyped(subject, unknown_uuids, conn):
    """Return the Unknowns for UUIDs, with the known UUIDs that differ in few digits."""
    if not unknown_uuids:
        return []
    known = names_and_ids.all_of(conn, subject)
    uuids = close_names.KnownUUIDs(known)
    return _corrected(
        subject, unknown_uuids, lambda uuid: {each: known[each] for each in uuids.like(uuid)}
    )


def _corrected(subject, names, meant):
    """Return the Unknowns for names.

    meant: returns {name: id} of what a name may stand for
    """
    return [
        Unknown(subject, name, meant(name) if number < MOST_CORRECTED else {})
        for number, name in enumerate(sorted(names))
    ]


@contextlib.contextmanager
def with_suggestions(database):
    """Add "did you mean" hints to errors about unknown names that are raised inside.

    Clients of the API proper rely on the wording of errors, so this is only for operators'
    requests.
    """
    try:
        yield
    except (
        exception.UnknownTraits,
        exception.UnknownResourceClass,
        exception.NoSuchHost,
        exception.NoSuchAggregate,
    ) as error:
        with database.reports() as conn:
            meant = _meant(conn, error)
        if meant:
            error.hint = f" Did you mean {' or '.join(meant)}?"
        raise


def _meant(conn, error):
    """Return, in order, the names that the unknown name in an error may stand for."""
    if isinstance(error, exception.NoSuchHost):
        return _hosts_meant(conn, error.host)
    if isinstance(error, exception.NoSuchAggregate):
        unknowns = unknown(conn, aggregates={error.aggregate})
    elif isinstance(error, exception.UnknownTraits):
        unknowns = unknown(conn, traits=error.names)
    else:
        unknowns = unknown(conn, resource_classes={error.name})
    return dict.fromkeys(name for each in unknowns for name in each.meant)


def _hosts_meant(conn, text):
    """Return [the name of the host above the provider that `text` names], or similar names."""
    host = db_hosts.host_of_provider(conn, text)
    if host is not None:
        return [host.name]
    if uuidutils.is_uuid_like(text):
        return close_names.KnownUUIDs(names_and_ids.all_of(conn, Subject.PROVIDERS)).like(text)
    return close_names.KnownNames(db_hosts.names(conn)).like(text)
