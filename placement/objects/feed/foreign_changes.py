"""Complete the changes that other programs have written: triggers store little but the subjects.

Rows about a provider itself, a class or a trait say what was written, and are reported one by one.
Other rows of one subject are reported as one change, unless a row of ours is between them. That
change begins where the previous change ended. It ends where the next change begins or, without a
next change, in the state that the reader sees. Source: doc/explanation/changes.rst.
"""

import collections
from typing import NamedTuple

from placement.db import resource_providers
from placement.db.feed import foreign_rows
from placement.db.feed.recording import ChangeKind, as_text, generations_as_text
from placement.objects.feed import recording

_WITH_NAMES = (ChangeKind.RESOURCE_CLASS, ChangeKind.TRAIT)
# How to read what providers have.
_PARTS = {
    ChangeKind.INVENTORIES: foreign_rows.stocked,
    ChangeKind.TRAITS: foreign_rows.trait_names,
    ChangeKind.AGGREGATES: foreign_rows.aggregate_uuids,
}


class _Subject(NamedTuple):
    """What a change is about: a consumer's allocations, a provider, or its traits, for instance."""

    kind: str
    uuid: str


def complete(conn, ids):
    """Return what to do with others' changes: ({id: values to store}, ids of those to drop).

    Cost: nothing if there are none; otherwise at most nine queries for each chunk of subjects.
    """
    if not ids:
        return {}, []
    rows = foreign_rows.rows(conn, ids)
    completed = {row.id: _values_of_name(row) for row in rows if row.kind in _WITH_NAMES}
    providers = _Providers(conn, rows)
    rows_by_subject = collections.defaultdict(list)
    for row in rows:
        # The deletion of a provider is a change of its own; what the provider had is gone with it.
        if (subject := providers.subject(row)) is not None:
            rows_by_subject[subject].append(row)
    known = _Known(conn, providers, rows_by_subject.keys())
    for subject, subject_rows in rows_by_subject.items():
        is_provider_itself = subject.kind == ChangeKind.PROVIDER
        complete_rows = _one_by_one if is_provider_itself else _joined
        completed |= complete_rows(known, subject, subject_rows)
    return completed, [each for each in ids if each not in completed]


def _values_of_name(row):
    """Return what to store for a ForeignRow about a class or a trait."""
    before, after = (name and as_text({"name": name}) for name in (row.before, row.after))
    return _values(uuid=None, name=row.name, generations=None, before=before, after=after)


def _values(uuid, name, generations, before, after):
    """Return the columns of a completed change; generations and states are strings, or None."""
    return {
        "uuid": uuid,
        "name": name,
        "generations": generations,
        "state_before": before,
        "state_after": after,
    }


def _joined(known, subject, rows):
    """Return {id: values} for one subject: one change for each run of rows between rows of ours.

    Rows of ours are KnownRows: changes that this service has recorded.
    """
    # `last` is the state in which the change before a run ends.
    completed, last = {}, known.last.get(subject)
    for run, following in _runs(rows, known.ours[subject]):
        if run:
            after = following.before if following else known.now(subject)
            # Allocations may be on a provider that was added within the run. A provider's
            # inventories, traits and aggregates are reported before its allocations.
            row = run[-1 if subject.kind == ChangeKind.ALLOCATIONS else 0]
            completed[row.id] = known.values(subject, row, last, after)
        last = following and following.after
    return completed


def _runs(rows, ours):
    """Yield (ForeignRows in order, our KnownRow that follows them, or None at the end)."""
    for following in sorted(ours):
        yield [row for row in rows if row.id < following.id], following
        rows = [row for row in rows if row.id > following.id]
    yield rows, None


def _one_by_one(known, subject, rows):
    """Return {id: values} for a provider itself, one change for each row.

    Each change begins with `last`, the state in which the change before it ends. KnownRows are
    changes of ours: this service has recorded them.
    """
    completed, last = {}, known.last.get(subject)
    changes = sorted([*rows, *known.ours[subject]], key=lambda each: each.id)
    for change, following in zip(changes, [*changes[1:], None], strict=True):
        after = change.after
        if isinstance(change, foreign_rows.ForeignRow):
            # A change of ours names even those relatives that have been deleted since.
            is_ours = isinstance(following, foreign_rows.KnownRow)
            after = following.before if is_ours else known.state_of_provider(change)
            completed[change.id] = known.values(subject, change, last, after)
        last = after
    return completed


class _Providers:
    """The providers that ForeignRows are about, as the reader sees them."""

    def __init__(self, conn, rows):
        # For a change of inventories, traits or aggregates, the trigger stored the provider's id as
        # the `uuid`. For a changed provider, it stored the ids of the parent and the root.
        ids = {int(row.uuid) for row in rows if row.kind in _PARTS}
        for row in rows:
            if row.kind == ChangeKind.PROVIDER and row.after:
                ids.update(map(int, row.after.split(",")))
        self._by_id = resource_providers.rows_by_id(conn, ids)
        self.by_uuid = {provider.uuid: provider for provider in self._by_id.values()}

    def ids(self, uuids):
        """Return the ids of providers that exist."""
        return [self.by_uuid[uuid].id for uuid in uuids]

    def state(self, row):
        """Return the state of a provider after a ForeignRow, or None if it was deleted.

        If its parent or root was deleted later, the provider itself was moved or deleted before
        that.
        """
        if not row.after:
            return None
        # The ids of the parent and of the root.
        parent, root = (self._by_id.get(int(each)) for each in row.after.split(","))
        return {
            "name": row.name,
            "parent_provider_uuid": parent and parent.uuid,
            "root_provider_uuid": root.uuid if root else row.uuid,
        }

    def subject(self, row):
        """Return the _Subject of a ForeignRow; None for a class or trait, or a deleted provider."""
        if row.kind in _WITH_NAMES:
            return None
        if row.kind not in _PARTS:
            return _Subject(row.kind, row.uuid)
        provider = self._by_id.get(int(row.uuid))
        return provider and _Subject(row.kind, provider.uuid)


class _Known:
    """What the reader sees of some subjects, and what the feed has about them.

    ours  {_Subject: our KnownRows without a position}
    last  {_Subject: the text of the state in which its last change with a position ends}
    """

    def __init__(self, conn, providers, subjects):
        """`providers` are the _Providers, `subjects` the _Subjects."""
        self._providers = providers
        uuids = {uuid for _, uuid in subjects}
        self.ours = collections.defaultdict(list)
        for row in foreign_rows.ours_without_position(conn, uuids):
            self.ours[_Subject(row.kind, row.uuid)].append(row)
        last_rows = foreign_rows.last_with_position(conn, uuids)
        self.last = {_Subject(row.kind, row.uuid): row.after for row in last_rows}
        consumers = {uuid for kind, uuid in subjects if kind == ChangeKind.ALLOCATIONS}
        self._held = collections.defaultdict(list)
        for row in foreign_rows.seen_allocations(conn, consumers):
            self._held[row.consumer_uuid].append(row)
        # {kind: {id of a provider: what it has of this kind}}.
        self._parts = {
            kind: read(conn, providers.ids({uuid for each, uuid in subjects if each == kind}))
            for kind, read in _PARTS.items()
        }

    def now(self, subject):
        """Return the state of a subject that the reader sees, as text."""
        kind, uuid = subject
        if kind == ChangeKind.ALLOCATIONS:
            return as_text(recording.seen_state(self._held[uuid]))
        parts = self._parts[kind].get(self._providers.by_uuid[uuid].id, [])
        return as_text(recording.stocked_state(parts) if kind == ChangeKind.INVENTORIES else parts)

    def state_of_provider(self, row):
        """Return the state of a provider after a ForeignRow, as text."""
        return as_text(self._providers.state(row))

    def values(self, subject, row, before, after):
        """Return what to store for a ForeignRow that led from one state to another."""
        kind, uuid = subject
        provider = self._providers.by_uuid.get(uuid)
        generations = None
        if kind == ChangeKind.PROVIDER and after is not None:
            # The column may be NULL, which stands for 0.
            generations = generations_as_text([(uuid, row.generation or 0)])
        return _values(
            uuid, row.name or (provider and provider.name), generations, before, after
        )
