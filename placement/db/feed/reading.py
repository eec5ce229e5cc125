"""Reading the changes that have positions."""

import dataclasses
import datetime
import json
from typing import Any, NamedTuple
from uuid import UUID

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import chunks
from placement.db.feed.recording import ChangeKind
from placement.db.sql import packed_rows, uuid_or_name

_changes = tables.changes
_providers = tables.resource_providers


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilters:
    """Conditions on changes. All must be met, except for those that are None.

    kind       a ChangeKind
    providers  uuids: the change is to one of these, or to allocations from one of these
    consumer   the uuid, in any spelling, of the consumer whose allocations have changed
    project    the id of the project that owns the consumer, before or after the change
    actor      the id of the user who made the change
    since      the change was made at or after this moment (naive UTC)
    until      the change was made before this moment (naive UTC)
    """

    kind: str | None = None
    providers: frozenset[str] | None = None
    consumer: str | None = None
    project: str | None = None
    actor: str | None = None
    since: datetime.datetime | None = None
    until: datetime.datetime | None = None


class StoredChange(NamedTuple):
    """A change as it is read; `before` and `after` are None where the subject does not exist.

    `generations` is {uuid: generation} of the providers whose generation may have advanced.
    """

    position: int
    written_at: datetime.datetime
    request_id: str | None
    user_id: str | None
    project_id: str | None
    operation: str | None
    kind: str
    uuid: str | None
    name: str | None
    generations: dict[str, int]
    before: Any
    after: Any


class ProviderPlace(NamedTuple):
    """The name of a provider, and its host, which may be the provider itself."""

    name: str
    host_uuid: str
    host_name: str


_COLUMNS = (
    _changes.c.position,
    _changes.c.written_at,
    _changes.c.request_id,
    _changes.c.user_id,
    _changes.c.project_id,
    _changes.c.operation,
    _changes.c.kind,
    _changes.c.uuid,
    _changes.c.name,
    _changes.c.generations,
    _changes.c.state_before,
    _changes.c.state_after,
)


def page_after(conn, after, up_to, limit, filters):
    """Return a pair: StoredChanges, oldest first, and the position to continue after.

    These are the first `limit` of the changes that meet the ChangeFilters, with positions above
    `after`, up to `up_to`.
    Cost: one query.
    """
    query = (
        sa.select(*_COLUMNS)
        .where(_changes.c.position > after, _changes.c.position <= up_to, *_conditions(filters))
        .order_by(_changes.c.position)
        .limit(limit)
    )
    # SQL compares some strings without regard to case, so _is_meant() checks them again.
    changes = [_stored(row) for row in conn.execute(query)]
    last = changes[-1].position if len(changes) == limit else up_to
    return [change for change in changes if _is_meant(change, filters)], last


def page_before(conn, before, limit, filters):
    """Return a pair: StoredChanges, newest first, and the position to continue before.

    These are the last `limit` of the changes that meet the ChangeFilters, with positions below
    `before`. The returned position is None if there are no older changes.
    Cost: one query.
    """
    query = (
        sa.select(*_COLUMNS)
        .where(_changes.c.position < before, *_conditions(filters))
        .order_by(_changes.c.position.desc())
        # One more row shows whether there are older changes.
        .limit(limit + 1)
    )
    # SQL compares some strings without regard to case, so _is_meant() checks them again.
    changes = [_stored(row) for row in conn.execute(query)]
    oldest = changes[limit - 1].position if len(changes) > limit else None
    return [change for change in changes[:limit] if _is_meant(change, filters)], oldest


def tree_of(conn, provider_uuid, after=0, since=None):
    """Return the uuids of all providers in the tree of a provider, including its own.

    Providers that were deleted, or moved out of the tree, are included if that happened after the
    position `after`, and not before the moment `since` (naive UTC).
    Cost: two queries.
    """
    member = _providers.alias("member")
    root_id = sa.select(member.c.root_provider_id).where(member.c.uuid == provider_uuid)
    query = sa.select(_providers.c.uuid, _providers.c.id == _providers.c.root_provider_id).where(
        _providers.c.root_provider_id == root_id.scalar_subquery()
    )
    members = dict(conn.execute(query).all())
    roots = {provider_uuid, *(uuid for uuid, is_root in members.items() if is_root)}
    was_below = (f'"root_provider_uuid":{json.dumps(uuid)}' for uuid in sorted(roots))
    have_left = sa.select(_changes.c.uuid).where(
        _changes.c.position > after,
        _changes.c.kind == ChangeKind.PROVIDER,
        _contains(_changes.c.state_before, was_below),
        *_conditions(ChangeFilters(since=since)),
    )
    return {*members, *conn.scalars(have_left), provider_uuid}


def find_provider(conn, text):
    """Return the UUID of the provider with this name or UUID, or None.

    If no such provider exists, return the UUID of the last provider that had the name.
    Cost: one query, or two.
    """
    query = sa.select(_providers.c.uuid, _providers.c.name).where(
        uuid_or_name.may_be_meant(_providers, [text])
    )
    deleted = (
        sa.select(_changes.c.uuid, _changes.c.name)
        .where(_changes.c.kind == ChangeKind.PROVIDER, _changes.c.name == text)
        .order_by(_changes.c.id.desc())
        .limit(1)
    )
    for each in (query, deleted):
        found = uuid_or_name.meant(conn.execute(each).all(), [text])
        if found:
            return found[text].uuid
    return None


def names_of_providers(conn, changes):
    """Return {uuid: name} of those providers in StoredChanges that still exist.

    Cost: one query for each chunk of them.
    """
    uuids = set().union(*map(_mentioned_providers, changes))
    query = sa.select(_providers.c.uuid, _providers.c.name)
    names = {}
    for chunk in chunks(sorted(uuids)):
        names |= dict(conn.execute(query.where(_providers.c.uuid.in_(chunk))).all())
    return names


def places(conn, changes):
    """Return {uuid: ProviderPlace} of those providers in StoredChanges whose names are known.

    Cost: two queries for each chunk of them, or one if all of them exist.
    """
    uuids = set().union(*map(_mentioned_providers, changes))
    root = _providers.alias("root")
    query = sa.select(_providers.c.uuid, _providers.c.name, root.c.uuid, root.c.name).join(
        root, root.c.id == _providers.c.root_provider_id
    )
    places_by_uuid = {}
    for chunk in chunks(sorted(uuids)):
        for uuid, *place in conn.execute(query.where(_providers.c.uuid.in_(chunk))):
            places_by_uuid[uuid] = ProviderPlace(*place)
    for chunk in chunks(sorted(uuids - places_by_uuid.keys())):
        places_by_uuid |= _last_places(conn, chunk)
    return places_by_uuid


def _last_places(conn, uuids):
    """Return {uuid: ProviderPlace} of providers that were deleted, each as a host of its own."""
    query = (
        sa.select(_changes.c.uuid, _changes.c.name)
        .where(_changes.c.kind == ChangeKind.PROVIDER, _changes.c.uuid.in_(uuids))
        .order_by(_changes.c.id)
    )
    # The newest change to a provider comes last, and its name replaces the earlier ones.
    return {
        uuid: ProviderPlace(name, host_uuid=uuid, host_name=name)
        for uuid, name in conn.execute(query)
    }


def _mentioned_providers(change):
    """Return the uuids of the providers that a StoredChange is about or refers to."""
    if change.kind != ChangeKind.PROVIDER:
        return _providers_of(change) - {None}
    relatives = ("parent_provider_uuid", "root_provider_uuid")
    return {uuid for field in relatives for uuid in _values_in_states(change, field)} - {None}


def _stored(row):
    """Return the StoredChange for a row of _COLUMNS.

    The last three columns are packed rows of uuid and generation, and the states before and after,
    each as JSON or None.
    """
    *fields, generations, before, after = row
    pairs = [pair.rsplit(",", 1) for pair in packed_rows.rows_of(generations)]
    return StoredChange(
        *fields,
        {uuid: int(generation) for uuid, generation in pairs},
        *(text and json.loads(text) for text in (before, after)),
    )


def _conditions(filters):
    """Yield the SQL conditions for ChangeFilters.

    They may let through other changes, too, such as those with strings that differ only in case, or
    to a consumer that has the uuid of one of the providers: _is_meant() decides.
    """
    if filters.kind is not None:
        yield _changes.c.kind == filters.kind
    if filters.providers is not None:
        yield sa.or_(
            _changes.c.uuid.in_(filters.providers),
            sa.and_(
                _changes.c.kind == ChangeKind.ALLOCATIONS,
                _mentions(*(json.dumps(each) for each in sorted(filters.providers))),
            ),
        )
    if filters.consumer is not None:
        yield _changes.c.uuid.in_(_spellings(filters.consumer))
        yield _changes.c.kind == ChangeKind.ALLOCATIONS
    if filters.project is not None:
        yield _mentions(f'"project_id":{json.dumps(filters.project)}')
    if filters.actor is not None:
        yield _changes.c.user_id == filters.actor
    if filters.since is not None:
        yield _changes.c.written_at >= filters.since
    if filters.until is not None:
        yield _changes.c.written_at < filters.until


def _spellings(consumer_uuid):
    """Return a UUID as given, and in lower and upper case, as it may be stored."""
    usual = str(UUID(consumer_uuid))
    return {consumer_uuid, usual, usual.upper()}


def _mentions(*texts):
    """The condition that at least one of the two states contains at least one of `texts`."""
    states = _changes.c.state_before, _changes.c.state_after
    return sa.or_(*(_contains(state, texts) for state in states))


def _contains(state, texts):
    return sa.or_(sa.false(), *(state.contains(text, autoescape=True) for text in texts))


def _is_meant(change, filters):
    """Whether a change, which meets _conditions(), meets the filters exactly."""
    return (
        (filters.consumer is None or change.uuid in _spellings(filters.consumer))
        and (filters.actor is None or change.user_id == filters.actor)
        and (
            filters.project is None
            or filters.project in _values_in_states(change, "project_id")
        )
        and (filters.providers is None or not filters.providers.isdisjoint(_providers_of(change)))
    )


def _values_in_states(change, member):
    """Return the values of a member in the states before and after, where these exist."""
    return [state.get(member) for state in (change.before, change.after) if state]


def _providers_of(change):
    """Return the uuids of a consumer's providers or, for another subject, its own uuid."""
    if change.kind != ChangeKind.ALLOCATIONS:
        return {change.uuid}
    # The state of "allocations" is a dict, whose keys are uuids of providers.
    return set().union(*_values_in_states(change, "allocations"))
