"""Random providers of tests/dice.py in a database, and queries in the words of a client."""

import dataclasses
import uuid

import os_traits
import sqlalchemy as sa

from placement.candidates import search
from placement.candidates.query import CandidateQuery, Group
from placement.db import tables
from placement.objects.claims import writing
from placement.objects.claims.claim import ConsumerClaim
from tests import dice

CLASS_NAMES = {1: "MEMORY_MB", 2: "DISK_GB", 3: "PCI_DEVICE"}
# The traits and aggregates of random worlds, under keys that no standard name has.
FIRST_KEY = 100000
SHARES = os_traits.MISC_SHARES_VIA_AGGREGATE


def provider_uuid(provider_id):
    return str(uuid.UUID(int=provider_id))


def aggregate_uuid(aggregate_id):
    return str(uuid.UUID(int=FIRST_KEY + aggregate_id))


def trait_name(trait_id):
    return f"CUSTOM_TRAIT_{trait_id}"


def named(query):
    """Return the CandidateQuery of a client that is resolved into this ResolvedQuery."""
    return CandidateQuery(
        groups=tuple(map(named_group, query.groups)),
        isolate=query.isolate,
        same_subtrees=query.same_subtrees,
        root_required=frozenset(map(trait_name, query.root_required)),
        root_forbidden=frozenset(map(trait_name, query.root_forbidden)),
    )


# The fields of a ResolvedGroup that named_group() knows.
_FIELDS = {
    "suffix", "amounts", "required", "forbidden", "member_of", "not_member_of", "root_id",
}


def named_group(group):
    new = {each.name for each in dataclasses.fields(group) if each.init} - _FIELDS
    assert not new, f"tests/functional/random_worlds.py has to learn the names of {new}"

    def named_sets(sets, name):
        return tuple(frozenset(map(name, keys)) for keys in sets)

    return Group(
        suffix=group.suffix,
        resources={CLASS_NAMES[key]: amount for key, amount in group.amounts.items()},
        required=named_sets(group.required, trait_name),
        forbidden=frozenset(map(trait_name, group.forbidden)),
        member_of=named_sets(group.member_of, aggregate_uuid),
        not_member_of=frozenset(map(aggregate_uuid, group.not_member_of)),
        in_tree=group.root_id and provider_uuid(group.root_id),
    )


class RandomWorlds:
    """A mixin for a story that runs on each database."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            conn.execute(
                sa.insert(tables.traits),
                [{"id": FIRST_KEY + key, "name": trait_name(key)} for key in dice.TRAITS],
            )
            conn.execute(
                sa.insert(tables.aggregates),
                [{"id": FIRST_KEY + key, "uuid": aggregate_uuid(key)} for key in dice.AGGREGATES],
            )
            self.sharing_trait_id = conn.scalar(
                sa.select(tables.traits.c.id).where(
                    tables.traits.c.name == os_traits.MISC_SHARES_VIA_AGGREGATE
                )
            )

    def trait_id(self, key):
        return self.sharing_trait_id if key == dice.SHARING else FIRST_KEY + key

    def store(self, conn, providers):
        """Replace everything in the database with random Providers."""
        conn.execute(sa.update(tables.resource_providers).values(root_provider_id=None))
        conn.execute(sa.update(tables.resource_providers).values(parent_provider_id=None))
        for table in (
            tables.allocations,
            tables.inventories,
            tables.resource_provider_traits,
            tables.resource_provider_aggregates,
            tables.resource_providers,
        ):
            conn.execute(sa.delete(table))
        for each in providers:
            values = {
                "id": each.id,
                "uuid": provider_uuid(each.id),
                "name": each.uuid,
                "parent_provider_id": each.parent_id,
                "root_provider_id": each.root_id,
            }
            conn.execute(sa.insert(tables.resource_providers).values(values))
        self.store_rooms(conn, providers)
        self.insert_all(
            conn,
            tables.resource_provider_traits,
            [
                {"resource_provider_id": each.id, "trait_id": self.trait_id(key)}
                for each in providers
                for key in each.traits
            ],
        )
        self.insert_all(
            conn,
            tables.resource_provider_aggregates,
            [
                {"resource_provider_id": each.id, "aggregate_id": FIRST_KEY + key}
                for each in providers
                for key in each.aggregates
            ],
        )

    def store_rooms(self, conn, providers):
        """Store inventories, and the allocations that use them."""
        inventories, allocations = [], []
        for each in providers:
            for class_id, room in each.rooms.items():
                key = {"resource_provider_id": each.id, "resource_class_id": class_id}
                sources = {"total": room.capacity, "reserved": 0, "allocation_ratio": 1}
                inventories.append(key | sources | room._asdict())
                if room.used:
                    allocations.append(key | {"consumer_id": "a", "used": room.used})
        self.insert_all(conn, tables.allocations, allocations)
        self.insert_all(conn, tables.inventories, inventories)

    def insert_all(self, conn, table, rows):
        if rows:
            conn.execute(sa.insert(table), rows)

    def claims(self, query, most, one_per_tree):
        """Claim the first candidate up to `most` times; return how often that was possible."""
        strategy = search.Strategy(most=1, one_provider_per_tree=one_per_tree)
        for number in range(most):
            found = search.find(self.database, query, strategy)
            if not found.candidates:
                return number
            [candidate] = found.candidates
            allocations = {}
            for (provider_id, class_id), amount in candidate.amounts.items():
                amounts = allocations.setdefault(candidate.forest.providers[provider_id].uuid, {})
                amounts[CLASS_NAMES[class_id]] = amount
            wanted = ConsumerClaim(
                consumer_uuid=str(uuid.uuid4()),
                project_id="project",
                user_id="user",
                consumer_type="INSTANCE",
                generation=None,
                allocations=allocations,
            )
            writing.replace_allocations(self.database, [wanted])
        return most
