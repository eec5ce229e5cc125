"""A small cloud, read whole with one statement that never changes.

The search then finds the feasible roots with sets, however many traits and aggregates a query
names. What changes rarely, such as trees and traits, is parsed again only if its text differs from
the last one. No other check is needed, because the whole text has just been read.
"""

import collections
import functools
import logging
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.faults import outages
from placement.db.names_and_ids import NO_NAMES, Vocabulary
from placement.db.provider_room import Provider, Room
from placement.db.sql import packed_rows
from placement.db.sql.prepared import Prepared

LOG = logging.getLogger(__name__)

# A cloud is small if it has at most MOST_PROVIDERS, and its texts take at most MOST_CHARACTERS.
MOST_PROVIDERS = 1500
MOST_CHARACTERS = 1_000_000
# Once a cloud has turned out to be larger, this many searches do not try to read it whole.
MOST_SKIPPED = 1000

_NOTHING = frozenset()

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


class KeysAndNames(NamedTuple):
    """Names of one Subject: name -> id, and id -> name."""

    keys: dict[str, int]
    names: dict[int, str]


class ProviderTrees(NamedTuple):
    """The providers and how they are related.

    root_by_uuid        uuid -> id of the root, for each provider
    roots               the ids of all roots
    root_by_descendant  id -> id of the root, for providers that are not roots
    members             id of a root -> [(id, uuid, id of the parent)] of its tree, sorted by id
    """

    root_by_uuid: dict[str, int]
    roots: frozenset[int]
    root_by_descendant: dict[int, int]
    members: dict[int, list[tuple[int, str, int | None]]]

    def root_of(self, provider_id):
        """Return the id of a provider's root."""
        return self.root_by_descendant.get(provider_id, provider_id)


class TraitsOrAggregates(NamedTuple):
    """Which providers have which traits, or are in which aggregates.

    by_provider  id of a provider -> ids of its traits or aggregates
    having       id of a trait or aggregate -> ids of the providers that have it
    """

    by_provider: dict[int, frozenset[int]]
    having: dict[int, frozenset[int]]

    def having_any(self, ids):
        """Return the ids of the providers that have any of these traits or aggregates."""
        return _NOTHING.union(*(self.having.get(each, ()) for each in ids))


class Rooms(NamedTuple):
    """What providers offer.

    by_provider  id of a provider -> {class_id: Room}
    by_class     class_id -> {id of a provider: Room}
    """

    by_provider: dict[int, dict[int, Room]]
    by_class: dict[int, dict[int, Room]]


class Cloud(NamedTuple):
    """Everything that the search for candidates can read."""

    class_names: KeysAndNames
    trait_names: KeysAndNames
    aggregate_uuids: KeysAndNames
    trees: ProviderTrees
    traits: TraitsOrAggregates
    aggregates: TraitsOrAggregates
    rooms: Rooms

    @property
    def names(self):
        """The Names of everything that a query can name."""
        return NO_NAMES._replace(
            resource_classes=self.class_names.keys,
            traits=self.trait_names.keys,
            aggregates=self.aggregate_uuids.keys,
            trees=self.trees.root_by_uuid,
        )

    @property
    def vocabulary(self):
        return Vocabulary(self.class_names.names, self.trait_names.names)

    def tree(self, root_id):
        """Return the Providers of a tree, in the order of their ids."""
        traits, aggregates = self.traits.by_provider, self.aggregates.by_provider
        rooms = self.rooms.by_provider
        return [
            Provider(
                key,
                uuid,
                parent_id,
                root_id,
                traits.get(key, _NOTHING),
                aggregates.get(key, _NOTHING),
                rooms.get(key, {}),
            )
            for key, uuid, parent_id in self.trees.members[root_id]
        ]


def read(database):
    """Return the Cloud; None if it is not small, or has a row in a form that we never write.

    Cost: one query; none for the next MOST_SKIPPED calls after a call has returned None.
    """
    cache = database.caches.small_cloud
    # Several threads count down, so the number may fall below 0.
    if cache.queries_to_skip > 0:
        cache.queries_to_skip -= 1
        return None
    with database.single_statement() as conn:
        texts = _QUERY.execute(conn, ()).first()
    if texts is not None and None not in texts and sum(map(len, texts)) <= MOST_CHARACTERS:
        try:
            return Cloud._make(
                _parsed(cache, number, text) for number, text in enumerate(texts)
            )
        except (outages.CutText, ValueError) as error:
            LOG.debug("The cloud cannot be read whole: %s", error)
    cache.queries_to_skip = MOST_SKIPPED
    return None


def _parsed(cache, number, text):
    """Return the text of column `number` parsed; parse it only if it differs from the last one."""
    last_text, parsed = cache.last_texts.get(number, (None, None))
    if text != last_text:
        parsed = _PARSERS[number](text)
        cache.last_texts[number] = text, parsed
    return parsed


def _names(text):
    """Return the KeysAndNames in packed rows of (key, name)."""
    pairs = (row.split(",", 1) for row in packed_rows.rows_of(text))
    names = {int(key): name for key, name in pairs}
    return KeysAndNames({name: key for key, name in names.items()}, names)


def _trees(text):
    """Return the ProviderTrees in packed rows of id, id of the root, id of the parent and uuid.

    Raises: ValueError if some provider's root has a parent, or does not exist.
    """
    root_by_uuid, roots, root_by_descendant = {}, set(), {}
    members = collections.defaultdict(list)
    for row in packed_rows.rows_of(text):
        key, root_id, parent_id, uuid = row.split(",", 3)
        key, root_id = int(key), int(root_id)
        root_by_uuid[uuid] = root_id
        members[root_id].append((key, uuid, int(parent_id) if parent_id else None))
        if parent_id:
            root_by_descendant[key] = root_id
        elif key == root_id:
            roots.add(key)
    if roots != members.keys() or len(roots) + len(root_by_descendant) != len(root_by_uuid):
        raise ValueError("the root of a provider has a parent, or does not exist")
    for tree in members.values():
        tree.sort()
    return ProviderTrees(root_by_uuid, frozenset(roots), root_by_descendant, dict(members))


def _traits_or_aggregates(text):
    """Return the TraitsOrAggregates in packed rows of provider_id and trait_id or aggregate_id."""
    by_provider, having = collections.defaultdict(list), collections.defaultdict(list)
    for provider_id, key in packed_rows.pairs_of(text):
        by_provider[provider_id].append(key)
        having[key].append(provider_id)
    # Hosts of one kind have equal sets: each set is kept only once.
    kept = {}
    return TraitsOrAggregates(
        {each: kept.setdefault(ids, ids) for each, ids in _frozen(by_provider)},
        dict(_frozen(having)),
    )


def _frozen(lists):
    return ((key, frozenset(ids)) for key, ids in lists.items())


def _rooms(text):
    """Return the Rooms in packed rows of provider_id, class_id and the fields of a Room."""
    by_provider, by_class = collections.defaultdict(dict), collections.defaultdict(dict)
    width = 2 + len(Room._fields)
    numbers = iter(packed_rows.numbers_of(text))
    # This many consecutive numbers belong to one inventory.
    for provider_id, class_id, *fields in zip(*[numbers] * width, strict=True):
        room = Room._make(fields)
        by_provider[provider_id][class_id] = by_class[class_id][provider_id] = room
    return Rooms(dict(by_provider), dict(by_class))


def _text(*columns):
    return sa.select(packed_rows.of_all_rows(*columns)).scalar_subquery()


def query(most):
    """Return the Prepared statement for the texts of a Cloud.

    It finds no row if the cloud has more than `most` providers.
    """
    return Prepared(functools.partial(_texts, most), has_literals=True)


def _texts(most):
    """Select a text for each of _PARSERS; no row if there are more than `most` providers."""
    one_too_many = sa.select(_providers.c.id).limit(1).offset(most).scalar_subquery()
    texts = sa.select(
        _text(tables.resource_classes.c.id, tables.resource_classes.c.name),
        _text(tables.traits.c.id, tables.traits.c.name),
        _text(tables.aggregates.c.id, packed_rows.or_empty(tables.aggregates.c.uuid)),
        _text(
            _providers.c.id,
            packed_rows.or_empty(_providers.c.root_provider_id),
            packed_rows.or_empty(_providers.c.parent_provider_id),
            _providers.c.uuid,
        ),
        _text(_traits.c.resource_provider_id, _traits.c.trait_id),
        _text(_members.c.resource_provider_id, _members.c.aggregate_id),
        _text(
            _inventories.c.resource_provider_id,
            _inventories.c.resource_class_id,
            *(_inventories.c[field] for field in Room._fields),
        ),
    )
    return texts.where(one_too_many.is_(None))


_QUERY = query(MOST_PROVIDERS)
_PARSERS = (_names, _names, _names, _trees, _traits_or_aggregates, _traits_or_aggregates, _rooms)
