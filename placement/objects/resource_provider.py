"""Resource providers: what has inventories, alone or in a tree of providers.

Source: doc/reference/api/resource-providers.rst.
"""

import dataclasses
import datetime

from oslo_db import exception as db_exc
from oslo_versionedobjects import fields

from placement import exception
from placement.db import names_and_ids, replacement
from placement.db import resource_providers as db_providers
from placement.db import trees as db_trees
from placement.db.reports import whole_providers
from placement.db.subjects_of_names import Subject
from placement.objects import base, resource_class
from placement.objects.feed import recording
from placement.objects.generational import Generational
from placement.objects.retry_requests import retry

WholeInventory = whole_providers.WholeInventory

# With this as the `parent_uuid`, `update` leaves the parent as it is.
UNCHANGED = object()


@base.register
class ResourceProvider(Generational, base.PlacementObject):
    VERSION = "1.0"

    fields = {
        "id": fields.IntegerField(read_only=True),
        "uuid": fields.StringField(read_only=True),
        "name": fields.StringField(),
        "generation": fields.IntegerField(),
        "parent_provider_uuid": fields.StringField(nullable=True),
        "root_provider_uuid": fields.StringField(),
    }


@dataclasses.dataclass(slots=True)
class ProviderForReplacement(Generational):
    """A provider, the names of one Subject that it has, such as its traits, and those it will have.

    Until its generation has been advanced, it is not certain that the provider still has the same
    names.

    held     {name: id} of the names it has
    wanted   {name: id} of the names it will have, without those that do not exist
    touched  when one of the wanted names was last created or changed
    """

    id: int
    uuid: str
    name: str
    generation: int
    held: dict[str, int]
    wanted: dict[str, int]
    touched: datetime.datetime | None


def get(conn, uuid):
    """Raises: ResourceProviderNotFound."""
    return ResourceProvider.from_row(get_using(conn, db_providers.find, uuid))


def read_for_replacement(conn, uuid, subject, names):
    """Return the ProviderForReplacement to replace a provider's names of a Subject with `names`.

    Cost: one statement.
    Raises: ResourceProviderNotFound.
    """
    # `find` returns an object of the class that is the last argument.
    return get_using(conn, replacement.find, uuid, subject, names, ProviderForReplacement)


def get_using(conn, find, uuid, *arguments):
    """Return what `find`, a function of the database layer, returns for a provider.

    Raises: ResourceProviderNotFound if that is None.
    """
    found = find(conn, uuid, *arguments)
    if found is None:
        raise exception.ResourceProviderNotFound(uuid=uuid)
    return found


def show(conn, uuid):
    """Return the ShownProvider of this uuid.

    Raises: ResourceProviderNotFound.
    """
    return get_using(conn, db_providers.show, uuid)


def list_matching(conn, filters):
    """Return a ShownProvider for each provider that passes the ProviderFilters.

    Cost: one query, and one more if the filters have names.
    Raises: UnknownTraits, UnknownResourceClass.
    Source: doc/explanation/rules.rst, L1 and L2.
    """
    in_keys = _resolved(conn, filters)
    if in_keys is None:
        return []
    return db_providers.list_matching(conn, in_keys)


def whole(conn, filters, with_allocations):
    """Return an iterator over lists of WholeProviders that pass the ProviderFilters.

    Cost: four statements for each list, or five with allocations, and at most four more in all.
    Raises: UnknownTraits, UnknownResourceClass.
    """
    in_keys = _resolved(conn, filters)
    return iter(()) if in_keys is None else whole_providers.batches(conn, in_keys, with_allocations)


def _resolved(conn, filters):
    """Return ProviderFilters with integer keys in place of names, or None if no provider can pass.

    Raises: UnknownTraits, UnknownResourceClass.
    """
    if not filters.have_names:
        return _in_keys(filters, names_and_ids.NO_NAMES)
    traits = filters.forbidden.union(*filters.required)
    names = names_and_ids.resolve(
        conn,
        providers={filters.in_tree} - {None},
        traits=traits,
        aggregates=filters.not_member_of.union(*filters.member_of),
        resource_classes=set(filters.resources),
    )
    if filters.in_tree is not None and filters.in_tree not in names.providers:
        return None
    if unknown := traits - names.traits.keys():
        raise exception.UnknownTraits(unknown)
    resource_class.check_known(filters.resources, names.resource_classes)
    in_keys = _in_keys(filters, names)
    # An aggregate without a row has no members.
    return in_keys if all(in_keys.member_of) else None


def unknown_uuids(conn, filters):
    """Return the aggregates and the tree in ProviderFilters that do not exist: {Subject: uuids}.

    Cost: one query; none without such filters.
    """
    uuids_by_subject = {
        Subject.AGGREGATES: filters.not_member_of.union(*filters.member_of),
        Subject.TREES: {filters.in_tree} - {None},
    }
    names = names_and_ids.resolve(conn, **uuids_by_subject)
    return {
        subject: uuids - names.ids_of(subject).keys()
        for subject, uuids in uuids_by_subject.items()
    }


def _in_keys(filters, names):
    """Turn filters by name into filters by key. A name that does not exist has no key."""

    def keys(of_names, ids):
        return frozenset(ids[name] for name in of_names if name in ids)

    return db_providers.Filters(
        name=filters.name,
        uuid=filters.uuid,
        tree_of=filters.in_tree,
        required=tuple({keys(any_of, names.traits) for any_of in filters.required}),
        forbidden=keys(filters.forbidden, names.traits),
        member_of=tuple({keys(any_of, names.aggregates) for any_of in filters.member_of}),
        not_member_of=keys(filters.not_member_of, names.aggregates),
        resources={
            names.resource_classes[name]: amount for name, amount in filters.resources.items()
        },
    )


def create(conn, *, uuid, name, parent_uuid=None):
    """Add a root provider, or a child of an existing provider, at generation 0.

    Raises: ProviderNameRequired, InvalidProviderTree, DuplicateProvider.
    """
    if not name:
        raise exception.ProviderNameRequired()
    if parent_uuid == uuid:
        raise exception.InvalidProviderTree(
            reason="parent provider UUID cannot be same as UUID. "
            "Please set parent provider UUID to None if there is no parent."
        )
    parent = None
    if parent_uuid is not None:
        # The lock keeps the parent where it is until the child is in its tree.
        members = _lock_in_trees(conn, {parent_uuid}, parent_uuid)
        parent = members[parent_uuid]
    try:
        db_providers.insert(conn, uuid, name, parent)
    except db_exc.DBDuplicateEntry as error:
        given = {"name": name, "uuid": uuid}
        # The error names the columns in which another provider has the same value.
        taken = [f"{column}: {given[column]}" for column in error.columns if column in given]
        raise exception.DuplicateProvider(taken) from error
    provider = get(conn, uuid)
    recording.provider(conn, before=None, after=provider)
    return provider


def update(conn, provider, *, name, parent_uuid=UNCHANGED, may_move=True):
    """Rename a provider, and put it and everything below it under another parent, or none.

    `may_move` is False for clients that may only give a parent to a root.
    Raises: InvalidProviderTree, DuplicateProvider.
    """
    # {id: ProviderRow} of the providers that move, as they were.
    before = {}
    if parent_uuid is not UNCHANGED and parent_uuid != provider.parent_provider_uuid:
        members = _lock_in_trees(conn, {provider.uuid, parent_uuid} - {None}, parent_uuid)
        if members[provider.uuid].parent_id is not None and not may_move:
            change = "un-parenting" if parent_uuid is None else "re-parenting"
            raise exception.InvalidProviderTree(
                reason=f"{change} a provider is not currently allowed."
            )
        before = _move(conn, members[provider.uuid], members.get(parent_uuid))
    if name != provider.name:
        _rename(conn, provider, name)
    after = get(conn, provider.uuid)
    if name != provider.name and not before:
        recording.provider(conn, before=provider, after=after)
    _record_move(conn, before)
    return after


def _rename(conn, provider, name):
    """Raises: DuplicateProvider."""
    try:
        is_there = db_providers.rename(conn, provider.id, provider.uuid, provider.name, name)
    except db_exc.DBDuplicateEntry as error:
        raise exception.DuplicateProvider([name]) from error
    if not is_there:
        raise retry()


def _record_move(conn, before):
    """Record the providers that have moved; `before` is what `_move` has returned."""
    if before:
        after = db_providers.rows_by_id(conn, before.keys())
        for provider_id, row in before.items():
            recording.provider(conn, before=row, after=after[provider_id])


def _lock_in_trees(conn, uuids, parent_uuid):
    """Lock the trees of providers against other writers. Return the providers, {uuid: TreeMember}.

    `uuids` include `parent_uuid`, unless that is None.
    Every writer that changes the shape of a tree first locks its root, then reads the tree again.
    Raises: InvalidProviderTree when there is no such parent.
    """
    seen = db_trees.find(conn, uuids)
    if parent_uuid is not None and parent_uuid not in seen:
        raise exception.InvalidProviderTree(reason="parent provider UUID does not exist.")
    root_ids = {member.root_id for member in seen.values()}
    # If all of these providers are roots, it is enough to lock them, as db_trees.lock does below.
    if root_ids != {member.id for member in seen.values()}:
        db_trees.lock_by_id(conn, root_ids)
    members = db_trees.lock(conn, uuids)
    if members.keys() != uuids or {member.root_id for member in members.values()} != root_ids:
        # Another writer moved or deleted one of them after we read it and before we locked it.
        raise retry()
    # Locks do not reach other nodes of a Galera cluster. If a rival there does the same, this makes
    # one of the two transactions fail.
    db_trees.clash_across_nodes(conn, root_ids)
    return members


def _move(conn, member, parent):
    """Move a provider and everything below it under another one, or make it a root.

    `member` and `parent` are TreeMembers; a `parent` of None makes it a root.
    Return {id: ProviderRow} of those that move, as they were, if changes are recorded; else {}.
    Raises: InvalidProviderTree.
    """
    subtree_ids = subtree(db_trees.members(conn, member.root_id), member.id)
    if parent and parent.id in subtree_ids:
        raise exception.InvalidProviderTree(
            reason="creating loop in the provider tree is not allowed."
        )
    before = db_providers.rows_by_id(conn, subtree_ids) if recording.is_on() else {}
    db_trees.move(
        conn,
        member.id,
        parent_id=parent.id if parent else None,
        root_id=parent.root_id if parent else member.id,
        subtree_ids=subtree_ids,
    )
    return before


def subtree(members, provider_id):
    """Return the ids of a provider and everything below it, given the TreeMembers of its tree."""
    children = {}
    for member in members:
        children.setdefault(member.parent_id, []).append(member.id)
    members = set()
    pending = [provider_id]
    while pending:
        current = pending.pop()
        # Without this condition, a cycle in the database would make the loop run for ever.
        if current not in members:
            members.add(current)
            pending.extend(children.get(current, ()))
    return members


def delete(conn, uuid):
    """Remove a provider with its inventories, aggregates and traits.

    Raises: ResourceProviderNotFound, CannotDeleteParent, ProviderInUse.
    """
    # This takes the provider out of its tree, and keeps others from changing it.
    ties = db_providers.untie(conn, uuid)
    if ties is None:
        raise exception.ResourceProviderNotFound(uuid=uuid, wording=" for delete")
    if ties.has_children:
        raise exception.CannotDeleteParent(uuid=uuid)
    if ties.has_allocations:
        raise exception.ProviderInUse(uuid=uuid)
    db_providers.delete(conn, ties)
    recording.provider(conn, before=ties, after=None)
