"""Find whatever has a name or UUID with a given beginning. Source: doc/how-to/find.rst."""

import itertools
import re
from typing import NamedTuple

from placement.constants import NamedKind
from placement.db import disabled_hosts
from placement.db.names_and_ids import resolve
from placement.db.reports import matching_names
from placement.db.subjects_of_names import Subject
from placement.objects import orphans

# At most this many of each kind are returned.
MOST = 10

# The characters that a UUID can have.
_OF_UUIDS = re.compile("[0-9a-f-]+")


class Match(NamedTuple):
    """Something whose name or UUID matches a text.

    id     as the API identifies it: a UUID, the id of a project, or the name of a trait or class
    name   the name of a provider, or the name that the operator has given to the id; or None
    hosts  for a provider: the host that it is part of, without amounts; for a consumer: the hosts
           that it uses, with what it has there
    owned  for a consumer: who owns it
    """

    kind: NamedKind
    id: str
    name: str | None = None
    hosts: tuple[orphans.HeldOnHost, ...] = ()
    owned: matching_names.Owned | None = None


class Lookup(NamedTuple):
    """The Matches in the order of NamedKind, and the kinds of which there are more."""

    found: list[Match]
    more: set[NamedKind]


def matches(conn, text, names):
    """Return the Lookup of a text that is not empty: at most MOST of each kind, hosts first.

    Names of traits and classes may have the text anywhere, in upper or lower case. `names` are
    GivenNames.
    Cost: up to fourteen queries, each for a few rows. Only the queries for traits and classes read
    whole tables; the others can use an index. On PostgreSQL, the queries for names of providers and
    projects can use one only if the collation of the database is C.
    """
    # Ids to which operators have given a name that begins with the text. Some may not exist.
    given_ids = names.beginning_with(text, MOST)
    # The file of names does not say what an id stands for, so each Subject is searched for all ids.
    asked_for = dict.fromkeys(NAMED_BY_OPERATORS, set(given_ids))
    existing = resolve(conn, **asked_for) if given_ids else None
    ids = {
        subject: _together(
            [key for key in given_ids if key in existing.ids_of(subject)],
            _beginning(conn, subject, text),
        )
        for subject in NAMED_BY_OPERATORS
    }
    matches_by_kind = {
        **_providers(conn, ids[Subject.PROVIDERS]),
        NamedKind.CONSUMER: _consumers(conn, ids[Subject.CONSUMERS], names),
        NamedKind.PROJECT: _named(NamedKind.PROJECT, ids[Subject.PROJECTS], names),
        NamedKind.AGGREGATE: _named(NamedKind.AGGREGATE, ids[Subject.AGGREGATES], names),
    } | {
        kind: [Match(kind, name) for name in _having(conn, subject, text)]
        for kind, subject in _IN_CAPITALS.items()
    }
    # The lists may be longer than MOST, to show that there are more.
    return Lookup(
        _marked(conn, [match for kind in NamedKind for match in matches_by_kind[kind][:MOST]]),
        {kind for kind in NamedKind if len(matches_by_kind[kind]) > MOST},
    )


# The Subjects to which operators give names.
NAMED_BY_OPERATORS = (
    Subject.PROVIDERS,
    Subject.CONSUMERS,
    Subject.PROJECTS,
    Subject.AGGREGATES,
)
# Names of these kinds are in upper case, and any part of such a name is enough to find it.
_IN_CAPITALS = {
    NamedKind.TRAIT: Subject.TRAITS,
    NamedKind.RESOURCE_CLASS: Subject.RESOURCE_CLASSES,
}


def _beginning(conn, subject, text):
    """Return a Subject's ids that begin with the text; of providers, also those whose names do.

    The list may be longer than MOST, to show that there are more.
    """
    if subject is Subject.PROVIDERS:
        return _together(*_beginning_providers(conn, text))
    if subject is Subject.PROJECTS:
        return matching_names.names(conn, subject, text, MOST + 1)
    if _OF_UUIDS.fullmatch(text.lower()):
        return matching_names.names(conn, subject, text.lower(), MOST + 1)
    return []


def _beginning_providers(conn, text):
    """Yield lists of UUIDs: of roots, then of other providers; each found by name, then by UUID."""
    for are_roots in (True, False):
        yield matching_names.providers_named(conn, text, are_roots, MOST + 1)
        if _OF_UUIDS.fullmatch(text.lower()):
            yield matching_names.provider_uuids(conn, text.lower(), are_roots, MOST + 1)


def _having(conn, subject, text):
    """Return names that contain the text: at most one more than MOST."""
    return matching_names.names_with(conn, subject, text.upper(), MOST + 1)


def _together(*lists):
    """Return the items of some lists, each once."""
    return list(dict.fromkeys(itertools.chain(*lists)))


def _providers(conn, uuids):
    """Return {kind: Matches} of NamedKind.HOST and NamedKind.PROVIDER."""
    matches_by_kind = {NamedKind.HOST: [], NamedKind.PROVIDER: []}
    providers = matching_names.providers(conn, uuids)
    for uuid in uuids:
        provider = providers.get(uuid)
        if provider is None:
            continue
        kind = NamedKind.HOST if provider.root_uuid == uuid else NamedKind.PROVIDER
        host = orphans.HeldOnHost(provider.root_uuid, provider.root_name, amounts={})
        matches_by_kind[kind].append(Match(kind, uuid, provider.name, hosts=(host,)))
    return matches_by_kind


def _marked(conn, matches):
    """Return the same Matches, with disabled hosts marked as such."""
    disabled = disabled_hosts.among(
        conn, {host.host_uuid for match in matches for host in match.hosts if host.host_uuid}
    )
    return [
        match._replace(
            hosts=tuple(
                host._replace(is_disabled=host.host_uuid in disabled) for host in match.hosts
            )
        )
        for match in matches
    ]


def _consumers(conn, uuids, names):
    """Return the Matches of those consumers that exist."""
    owned, given = matching_names.consumers(conn, uuids), names.of(uuids)
    hosts = orphans.holdings(conn, uuids) if uuids else {}
    return [
        Match(
            NamedKind.CONSUMER,
            uuid,
            name=given.get(uuid),
            hosts=tuple(hosts[uuid]),
            owned=owned[uuid],
        )
        for uuid in uuids
        if uuid in owned
    ]


def _named(kind, ids, names):
    """Return a Match for each id, with its given name."""
    given = names.of(ids)
    return [Match(kind, each, given.get(each)) for each in ids]
