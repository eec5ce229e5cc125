"""A small cloud that is read whole, and what is remembered of the last check."""

import contextlib
from unittest import mock

import os_traits
import sqlalchemy as sa

from placement.candidates import search
from placement.candidates.query import CandidateQuery, Group
from placement.db import tables
from placement.db.search import small_cloud
from tests import databases
from tests.functional.worlds import provider

TRAIT = "HW_CPU_X86_VMX"
AGGREGATE = "30000000-0000-4000-8000-000000000001"


@databases.on_each_database
class SmallCloud:
    """If a test fails, an answer is older than its request, or leaves something out."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 4})
            self.other = provider(conn, "other", {"VCPU": 4})

    def hosts(self, amount=1, **group):
        """Return the ids of the hosts that can serve a group."""
        query = CandidateQuery((Group("", {"VCPU": amount}, **group),))
        statements = databases.Statements(self.database)
        with statements:
            found = search.find(self.database, query, search.Strategy()).candidates
        self.statements = len(statements.seen)
        return {each.providers_by_suffix[""][0] for each in found}

    def write(self, *statements):
        """Change tables as another program would: nothing in this process learns of it."""
        with self.database.engine.begin() as conn:
            for statement in statements:
                conn.execute(statement)

    def id_of(self, table, name):
        with self.database.reader() as conn:
            return conn.scalar(sa.select(table.c.id).where(table.c.name == name))

    def test_a_query_of_any_shape_takes_one_statement(self):
        self.assertEqual({self.host.id, self.other.id}, self.hosts())
        self.assertEqual(1, self.statements)
        self.assertEqual(set(), self.hosts(required=(frozenset({TRAIT}),)))
        self.assertEqual(1, self.statements)
        self.assertEqual({self.host.id}, self.hosts(in_tree=self.host.uuid))
        self.assertEqual(1, self.statements)

    def test_a_small_cloud_shows_new_usage_at_once(self):
        self.assertEqual({self.host.id, self.other.id}, self.hosts(4))
        inventories = tables.inventories
        of_host = inventories.c.resource_provider_id == self.host.id
        self.write(sa.update(inventories).where(of_host).values(used=1))
        self.assertEqual({self.other.id}, self.hosts(4))
        self.write(sa.update(inventories).where(of_host).values(used=0))
        self.assertEqual({self.host.id, self.other.id}, self.hosts(4))

    def test_a_trait_is_seen_as_soon_as_it_is_set_or_removed(self):
        wanted = {"required": (frozenset({TRAIT}),)}
        self.assertEqual(set(), self.hosts(**wanted))
        trait_id = self.id_of(tables.traits, TRAIT)
        traits = tables.resource_provider_traits
        self.write(
            sa.insert(traits).values(resource_provider_id=self.host.id, trait_id=trait_id)
        )
        self.assertEqual({self.host.id}, self.hosts(**wanted))
        # There are as many traits as before: a count would not show the change.
        self.write(sa.update(traits).values(resource_provider_id=self.other.id))
        self.assertEqual({self.other.id}, self.hosts(**wanted))
        self.write(sa.delete(traits))
        self.assertEqual(set(), self.hosts(**wanted))

    def test_an_aggregate_is_seen_as_soon_as_it_has_members(self):
        wanted = {"member_of": (frozenset({AGGREGATE}),)}
        self.assertEqual(set(), self.hosts(**wanted))
        members = tables.resource_provider_aggregates
        self.write(
            sa.insert(tables.aggregates).values(id=7, uuid=AGGREGATE),
            sa.insert(members).values(resource_provider_id=self.host.id, aggregate_id=7),
        )
        self.assertEqual({self.host.id}, self.hosts(**wanted))
        self.write(sa.update(members).values(resource_provider_id=self.other.id))
        self.assertEqual({self.other.id}, self.hosts(**wanted))

    def test_a_moved_tree_is_seen_at_once(self):
        self.assertEqual({self.host.id}, self.hosts(in_tree=self.host.uuid))
        providers = tables.resource_providers
        self.write(
            sa.update(providers)
            .where(providers.c.id == self.host.id)
            .values(parent_provider_id=self.other.id, root_provider_id=self.other.id)
        )
        self.assertEqual({self.host.id, self.other.id}, self.hosts(in_tree=self.host.uuid))

    def test_a_reused_provider_id_is_noticed(self):
        """This happens when a backup is restored."""
        self.hosts()
        uuid = "10000000-0000-4000-8000-00000000000f"
        providers = tables.resource_providers
        self.write(
            sa.update(providers).where(providers.c.id == self.host.id).values(uuid=uuid)
        )
        self.assertEqual({self.host.id}, self.hosts(in_tree=uuid))

    def test_a_larger_cloud_is_read_in_batches_for_a_number_of_queries(self):
        with mock.patch.multiple(
            small_cloud, _QUERY=small_cloud.query(most=1), MOST_SKIPPED=2
        ):
            for statements in (6, 5, 5, 6):
                self.assertEqual({self.host.id, self.other.id}, self.hosts())
                self.assertEqual(statements, self.statements)

    def test_threads_that_count_down_together_still_try_again(self):
        """Two threads that both take the last query without a check leave a count below 0."""
        self.database.caches.small_cloud.queries_to_skip = -1
        self.hosts()
        self.assertEqual(1, self.statements)

    def test_a_cloud_of_longer_texts_is_read_in_batches(self):
        with mock.patch.object(small_cloud, "MOST_CHARACTERS", 100):
            self.assertEqual({self.host.id, self.other.id}, self.hosts())
        self.assertEqual(6, self.statements)

    def test_a_truncated_text_is_not_taken_for_a_small_cloud(self):
        if self.kind != "mysql":
            self.skipTest("No other database cuts texts")
        self.addCleanup(self.database.disconnect)
        with self.database.single_statement() as conn:
            same = mock.patch.object(
                self.database, "single_statement", lambda: contextlib.nullcontext(conn)
            )
            for most in range(4, 400, 9):
                self.database.caches.small_cloud.queries_to_skip = 0
                conn.exec_driver_sql(f"SET SESSION group_concat_max_len = {most}")
                with same:
                    self.assertTrue(small_cloud.read(self.database) is None, most)

    def test_names_with_separators_of_the_texts_are_read_in_batches(self):
        self.write(sa.insert(tables.aggregates).values(id=7, uuid="1,2;3"))
        self.assertEqual({self.host.id, self.other.id}, self.hosts())
        self.assertEqual(6, self.statements)

    def test_a_name_that_pretends_to_be_a_row_is_not_taken_for_one(self):
        """A row with a NULL adds nothing to the text, so the number of rows would look right."""
        aggregates, members = tables.aggregates, tables.resource_provider_aggregates
        self.write(
            sa.insert(aggregates).values(id=7, uuid="x;8,y"),
            sa.insert(aggregates).values(id=8, uuid=None),
            sa.insert(members).values(resource_provider_id=self.host.id, aggregate_id=8),
        )
        self.assertEqual(set(), self.hosts(member_of=(frozenset({"y"}),)))
        self.assertGreater(self.statements, 1)
        self.assertEqual({self.host.id, self.other.id}, self.hosts())

    def test_an_aggregate_without_a_uuid_matches_no_name(self):
        self.write(sa.insert(tables.aggregates).values([{"uuid": None}, {"uuid": None}]))
        self.assertEqual({self.host.id, self.other.id}, self.hosts())
        self.assertEqual(set(), self.hosts(member_of=(frozenset({AGGREGATE}),)))
        self.assertEqual(1, self.statements)

    def test_a_provider_that_pretends_to_be_two_is_not_taken_for_two(self):
        self.set_provider(self.host, uuid=f"x;{self.other.id},{self.other.id},,y")
        self.set_provider(self.other, root_provider_id=None)
        self.assertEqual({self.host.id}, self.hosts())

    def test_text_that_cannot_be_a_row_is_read_in_batches(self):
        self.set_provider(self.host, uuid="x;y")
        self.set_provider(self.other, root_provider_id=None)
        self.assertEqual({self.host.id}, self.hosts())

    def test_trees_that_contradict_themselves_are_read_in_batches(self):
        """A provider belongs to the tree of its root, even if it has no parent there."""
        ours = {"root_provider_id": self.other.id, "parent_provider_id": None}
        for theirs, expected in (
            ({"root_provider_id": None}, {self.host.id}),
            ({"parent_provider_id": self.host.id}, {self.host.id}),
            ({"root_provider_id": self.host.id}, {self.host.id, self.other.id}),
        ):
            self.set_provider(self.other, **ours | theirs)
            self.database.caches.small_cloud.queries_to_skip = 0
            self.assertEqual(expected, self.hosts(), theirs)
            self.assertGreater(self.statements, 1, theirs)

    def test_traits_of_a_provider_that_is_gone_do_not_matter(self):
        if self.kind != "sqlite":
            self.skipTest("Other databases leave no traits behind.")
        trait_id = self.id_of(tables.traits, os_traits.MISC_SHARES_VIA_AGGREGATE)
        self.write(
            sa.insert(tables.resource_provider_traits).values(
                resource_provider_id=999, trait_id=trait_id
            )
        )
        self.assertEqual({self.host.id, self.other.id}, self.hosts())
        self.assertEqual(1, self.statements)

    def set_provider(self, provider, **values):
        providers = tables.resource_providers
        self.write(sa.update(providers).where(providers.c.id == provider.id).values(values))
