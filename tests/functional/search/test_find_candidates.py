"""Candidates found through a database, compared with trying everything on the same rows."""

import collections
import contextlib
import dataclasses
import itertools
import random
import uuid
from unittest import mock

import fixtures
import hypothesis
import os_traits
import sqlalchemy as sa
from hypothesis import strategies as st

from placement import exception
from placement.candidates import batches, effort, search, small_trees
from placement.candidates.batches import Order
from placement.candidates.query import CandidateQuery, Group, ResolvedGroup, ResolvedQuery
from placement.db import tables
from placement.db.search import forests as db_forests
from placement.db.search import narrowing, rarest_condition, roots, rotation_start
from placement.objects import resource_provider
from tests import databases, dice, properties, reference
from tests.batches import InBatches, as_small_cloud, in_batches
from tests.functional import cutting
from tests.functional.random_worlds import (
    SHARES,
    RandomWorlds,
    named,
    provider_uuid,
    trait_name,
)
from tests.functional.worlds import provider, set_aggregates, set_traits


def ids_read_up_to(largest_id):
    """Patch the bound above which sets of provider ids are not read whole."""
    return mock.patch.multiple(narrowing, LARGEST_ID_ALWAYS_READ=0, LARGEST_ID_EVER_READ=largest_id)


@databases.on_each_database
class FindCandidates(RandomWorlds):
    """If a test fails, the database leaves out a root, or a batch, that has candidates."""

    @properties.SETTINGS
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_search_finds_the_same_candidates_as_brute_force(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 4) for _ in range(random.randint(1, 3))])
        query = thrower.query(world, granular_groups=random.randint(0, 3))
        hypothesis.assume(dice.combinations(world, query) <= dice.MOST_COMBINATIONS)
        one_per_tree = thrower.one_in(4)
        whole = dice.forest(world, dice.roots_of(world))
        expected = reference.candidates(whole, query, one_per_tree)
        with self.database.writer() as conn:
            self.store(conn, world)
        strategy = search.Strategy(one_provider_per_tree=one_per_tree)
        everything = search.find(self.database, named(query), strategy)
        limited = dataclasses.replace(named(query), limit=random.randint(1, 9))
        elsewhere = strategy._replace(
            order=random.choice([*Order]),
            breadth_first=thrower.one_in(2),
        )
        # The smallest batches there can be, and perhaps few roots to look at.
        sight = random.choice([0, narrowing.MOST_AT_FIRST_SIGHT])
        fewest_roots = random.choice([0, narrowing.FEWEST_ROOTS])
        with (
            random.choice([as_small_cloud, in_batches])(),
            mock.patch.multiple(narrowing, SPARE_ROOTS=0, WINDOW=1, MOST_AT_FIRST_SIGHT=sight),
            ids_read_up_to(random.choice([0, narrowing.LARGEST_ID_EVER_READ])),
            mock.patch.multiple(narrowing, FEWEST_ROOTS=fewest_roots, SHARE=0),
        ):
            some = search.find(self.database, limited, elsewhere)
        found = self.identities(everything)
        self.assertEqual(expected, set(found))
        self.assertEqual(len(expected), len(found), "a candidate came twice")
        with in_batches():
            by_sets = search.find(self.database, named(query), strategy)
        self.assertEqual(found, self.identities(by_sets))
        with in_batches(), ids_read_up_to(0):
            by_conditions = search.find(self.database, named(query), strategy)
            with mock.patch.multiple(narrowing, FEWEST_ROOTS=0, SHARE=0):
                led_by_what_is_rare = search.find(self.database, named(query), strategy)
        self.assertEqual(found, self.identities(by_conditions))
        self.assertEqual(found, self.identities(led_by_what_is_rare))
        found = self.identities(some)
        self.assertLessEqual(set(found), expected)
        self.assertEqual(min(limited.limit, len(expected)), len(set(found)))
        self.assertEqual(len(set(found)), len(found), "a candidate came twice")

    def identities(self, found):
        return [dice.identity(each) for each in found.candidates]

    def test_the_next_batch_begins_after_the_last_root(self):
        with self.database.writer() as conn:
            # On the first host, each group fits alone, but the two do not fit together.
            provider(conn, "small", {"VCPU": 1})
            hosts = [provider(conn, f"host{number}", {"VCPU": 2}) for number in range(2)]
        query = CandidateQuery((Group("_a", {"VCPU": 1}), Group("_b", {"VCPU": 1})), limit=2)
        for order, sight, largest_id in itertools.product(
            Order, (0, narrowing.MOST_AT_FIRST_SIGHT), (0, narrowing.LARGEST_ID_EVER_READ)
        ):
            with (
                self.subTest(order=order, sight=sight, largest_id=largest_id),
                in_batches(),
                mock.patch.multiple(narrowing, SPARE_ROOTS=0, MOST_AT_FIRST_SIGHT=sight),
                ids_read_up_to(largest_id),
            ):
                found = search.find(self.database, query, search.Strategy(order=order))
                chosen = [each.providers_by_suffix["_a"][0] for each in found.candidates]
                self.assertCountEqual([host.id for host in hosts], chosen)
                if order is Order.CREATED:
                    self.assertEqual(sorted(chosen), chosen)

    def test_mysql_reads_roots_in_the_order_of_ids_from_any_id(self):
        """If it fails, some answers from a large cloud take a hundred times as long."""
        if self.kind != "mysql":
            self.skipTest("No other database chose another index")
        with self.database.writer() as conn:
            for number in range(20):
                provider(conn, f"host{number}", {"VCPU": 1})
        for span in (roots.EVERYWHERE, roots.Span(10, None), roots.Span(0, 10)):
            for query in (
                roots.in_span(span),
                roots.batch(span=span, size=5),
                roots.batch(span=span, size=5, window=10),
            ):
                with self.subTest(span=span, query=str(query)):
                    used = self.indexes_used(query) - {None, "key0"}
                    self.assertEqual({"PRIMARY"}, used)

    def indexes_used(self, query):
        with self.database.reader() as conn:
            text = query.compile(conn, compile_kwargs={"literal_binds": True})
            # MySQL's default format may be a tree, which has no columns; this format has them.
            form = "" if databases.is_mariadb(self.database) else "FORMAT = TRADITIONAL"
            return set(conn.exec_driver_sql(f"EXPLAIN {form} {text}").scalars("key"))

    def test_postgresql_expects_most_roots_to_lack_what_is_forbidden(self):
        """If it fails, PostgreSQL reads and sorts all hosts for each query that nova sends."""
        if self.kind != "postgresql":
            self.skipTest("No other database shows how many rows it expects in this way")
        with self.database.writer() as conn:
            for number in range(50):
                provider(conn, f"host{number}", {"VCPU": 1})
            conn.exec_driver_sql("ANALYZE resource_providers")
        forbidding = [
            ResolvedQuery((), root_forbidden=frozenset({1})),
            ResolvedQuery((ResolvedGroup("", {}, forbidden=frozenset({1})),)),
            ResolvedQuery((ResolvedGroup("", {}, not_member_of=frozenset({1})),)),
        ]
        with self.database.reader() as conn:
            for query in forbidding:
                conditions = roots.conditions_for(query, frozenset())
                self.assertGreater(self.rows_expected(conn, roots.batch(conditions)), 40, query)

    def rows_expected(self, conn, query):
        text = query.compile(conn, compile_kwargs={"literal_binds": True})
        [plan] = conn.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {text}").scalar_one()
        return plan["Plan"]["Plan Rows"]

    def test_a_truncated_text_is_noticed(self):
        if self.kind != "mysql":
            self.skipTest("No other database cuts texts")
        with self.database.writer() as conn:
            host = provider(conn, "host", {"VCPU": 1, "DISK_GB": 1})
            provider(conn, "child", {"VCPU": 1}, parent=host)
        self.addCleanup(self.database.disconnect)
        with self.database.reader() as conn:
            cutting.assert_noticed(
                self, conn, lambda conn: db_forests.providers(conn, roots.batch()), range(4, 200)
            )

    def test_a_tree_too_large_for_group_concat_is_read_provider_by_provider(self):
        """If it fails, a query for a host with thousands of devices gets 503 on MySQL."""
        if self.kind != "mysql":
            self.skipTest("No other database cuts texts")
        with self.database.writer() as conn:
            provider(conn, "alone", {"VCPU": 1})
            host = provider(conn, "host", {"VCPU": 1})
            for number in range(9):
                provider(conn, f"device{number}", {"FPGA": 1}, parent=host)
        self.addCleanup(self.database.disconnect)
        with self.database.reader() as conn:
            whole = db_forests.providers(conn, roots.batch())
            conn.exec_driver_sql("SET SESSION group_concat_max_len = 300")
            self.assertEqual(whole, db_forests.providers(conn, roots.batch()))
            root_ids = {each.root_id for each in whole}
            self.assertEqual(whole, db_forests.providers_of(conn, root_ids))

    def test_in_tree_does_not_restrict_a_group_without_resources(self):
        with self.database.writer() as conn:
            conn.execute(sa.delete(tables.resource_provider_traits))
            host = provider(conn, "host", {"VCPU": 1})
            other = provider(conn, "other")
            conn.execute(
                sa.insert(tables.resource_provider_traits).values(
                    resource_provider_id=host.id, trait_id=self.trait_id(dice.TRAITS[0])
                )
            )
        trait = frozenset({trait_name(dice.TRAITS[0])})
        query = CandidateQuery(
            groups=(
                Group("_v", {"VCPU": 1}),
                Group("_t", {}, required=(trait,), in_tree=other.uuid),
            ),
            same_subtrees=(frozenset({"_v", "_t"}),),
        )
        found = search.find(self.database, query, search.Strategy())
        self.assertEqual(1, len(found.candidates))


class Counted(InBatches):
    def cost(self, query, **strategy):
        """Return how many candidates there are, and how many statements they cost."""
        statements = databases.Statements(self.database)
        with statements:
            found = search.find(self.database, query, search.Strategy(**strategy))
        return len(found.candidates), len(statements.seen)


@databases.on_each_database
class CostOfCandidates(Counted):
    """If a test fails, the search takes one more statement, or one for each row."""

    def test_more_hosts_do_not_take_more_statements(self):
        query = CandidateQuery((Group("", {"VCPU": 1, "MEMORY_MB": 1}),))
        for number in range(3):
            with self.database.writer() as conn:
                for suffix in range(10):
                    provider(conn, f"host{number}-{suffix}", {"VCPU": 4, "MEMORY_MB": 64})
            self.assertEqual(((number + 1) * 10, 5), self.cost(query))

    def test_a_limited_query_that_needs_a_second_batch_takes_eight_statements_at_most(self):
        with self.database.writer() as conn:
            sharing = provider(conn, "shared", {"DISK_GB": 10})
            conn.execute(
                sa.insert(tables.resource_provider_traits).from_select(
                    ["resource_provider_id", "trait_id"],
                    sa.select(sa.literal(sharing.id), tables.traits.c.id).where(
                        tables.traits.c.name == os_traits.MISC_SHARES_VIA_AGGREGATE
                    ),
                )
            )
            # Each child alone has room, but no tree has room for both groups.
            for number in range(narrowing.SPARE_ROOTS + 5):
                provider(conn, f"host{number}", {"VCPU": 1})
        query = CandidateQuery((Group("_a", {"VCPU": 1}), Group("_b", {"VCPU": 1})), limit=1)
        self.assertEqual((0, 8), self.cost(query))

    def test_only_as_many_trees_are_read_as_are_likely_to_be_needed(self):
        with self.database.writer() as conn:
            for number in range(6):
                host = provider(conn, f"host{number}", {"VCPU": 1})
                provider(conn, f"child{number}", {"VCPU": 1}, parent=host)
        query = CandidateQuery((Group("_a", {"VCPU": 1}),), limit=4)
        with mock.patch.multiple(narrowing, SPARE_ROOTS=0, MOST_AT_FIRST_SIGHT=0):
            for breadth_first, hosts in ((False, 2), (True, 4)):
                strategy = search.Strategy(breadth_first=breadth_first)
                found = search.find(self.database, query, strategy)
                self.assertEqual((4, hosts), (len(found.candidates), found.host_count))

    def test_a_batch_that_is_not_full_is_known_to_be_the_last(self):
        with self.database.writer() as conn:
            provider(conn, "host", {"VCPU": 1})
        query = CandidateQuery((Group("", {"VCPU": 1}),), limit=2)
        self.assertEqual((1, 5), self.cost(query))

    def test_a_query_for_what_no_host_has_takes_three_statements(self):
        with self.database.writer() as conn:
            provider(conn, "host", {"VCPU": 1})
        for asked in ({"VCPU": 2}, {"VCPU": 1, "FPGA": 1}):
            self.assertEqual((0, 3), self.cost(CandidateQuery((Group("", asked),))))

    def test_a_long_query_for_what_no_host_has_takes_three_statements(self):
        with self.database.writer() as conn:
            provider(conn, "host", {"VCPU": 1})
        with mock.patch.object(narrowing, "MOST_REQUIREMENTS", 0):
            for asked in ({"VCPU": 2}, {"VCPU": 1, "FPGA": 1}):
                self.assertEqual((0, 3), self.cost(CandidateQuery((Group("", asked),))))

    def test_roots_that_have_all_been_looked_at_are_not_looked_at_again(self):
        with self.database.writer() as conn:
            for number in range(2 * narrowing.WINDOW):
                provider(conn, f"host{number}", {"FPGA" if number else "VCPU": 1})
        query = CandidateQuery((Group("", {"VCPU": 1}),), limit=2)
        with mock.patch.object(narrowing, "SPARE_ROOTS", 0), ids_read_up_to(0):
            # The last statements see that no sets are read, count the roots, and read names.
            self.assertEqual((1, 6), self.cost(query))

    def add_ten_hosts_of_which_one_has_a_card(self):
        """Add ten hosts, and return the one with a card, a ResourceProvider."""
        with self.database.writer() as conn:
            for number in range(9):
                provider(conn, f"host{number}", {"VCPU": 1})
            host = provider(conn, "with a card", {"VCPU": 1})
            provider(conn, "card", {"FPGA": 1}, parent=host)
        return host

    def test_a_query_for_what_few_hosts_have_takes_seven_statements_and_reads_no_other_root(self):
        host = self.add_ten_hosts_of_which_one_has_a_card()
        query = CandidateQuery((Group("", {"VCPU": 1, "FPGA": 1}),))
        limited = dataclasses.replace(query, limit=1)
        with ids_read_up_to(0), mock.patch.object(narrowing, "SPARE_ROOTS", 0):
            self.assertEqual((1, 6), self.cost(query))
            with mock.patch.multiple(narrowing, FEWEST_ROOTS=10):
                self.assertEqual((1, 7), self.cost(query))
                # The host with the card is not among the first four.
                self.assertEqual((1, 8), self.cost(limited))
                with mock.patch.object(roots, "among", wraps=roots.among) as among:
                    self.cost(query)
        among.assert_called_once_with([host.id])

    def test_a_search_that_starts_after_the_only_host_takes_nine_statements(self):
        self.add_ten_hosts_of_which_one_has_a_card()
        with self.database.writer() as conn:
            later = provider(conn, "later", {"VCPU": 1})
        query = CandidateQuery((Group("", {"VCPU": 1, "FPGA": 1}),), limit=1)
        no_spare = mock.patch.object(narrowing, "SPARE_ROOTS", 0)
        with mock.patch.multiple(narrowing, FEWEST_ROOTS=10), ids_read_up_to(0), no_spare:
            # One statement chooses the first root, one looks at it, three find the few roots, and
            # the rest read their trees.
            self.assertEqual((1, 9), self.cost_from(later.id, query))

    def test_a_query_in_a_smaller_cloud_takes_five_statements_and_finds_the_same(self):
        host = self.add_ten_hosts_of_which_one_has_a_card()
        query = CandidateQuery((Group("", {"VCPU": 1, "FPGA": 1}),))
        with mock.patch.object(
            db_forests, "providers_of", wraps=db_forests.providers_of
        ) as providers_of:
            self.assertEqual((1, 5), self.cost(query))
        providers_of.assert_called_once_with(mock.ANY, [host.id], False)
        with mock.patch.object(narrowing, "SPARE_ROOTS", 0):
            self.assertEqual((1, 6), self.cost(dataclasses.replace(query, limit=1)))

    def test_a_random_start_and_wrapping_around_take_one_more_statement_each(self):
        with self.database.writer() as conn:
            hosts = [provider(conn, f"host{n}", {"VCPU": 1}).id for n in range(40)]
        query = CandidateQuery((Group("", {"VCPU": 1}),), limit=2)
        self.assertEqual((2, 4), self.cost(query))
        self.assertEqual((2, 5), self.cost_from(hosts[20], query))
        # Three more statements: one reads on to the last root, one finds roots with room, and one
        # starts again at the beginning.
        self.assertEqual((2, 7), self.cost_from(hosts[35], query))
        self.assertEqual((2, 5), self.cost(query, order=Order.RANDOM))

    def cost_from(self, root_id, query):
        """Return the cost of an answer that begins at a root, once the range of ids is known."""
        order = Order.ROTATED
        self.cost(query, order=order)
        with mock.patch.object(random, "sample", lambda ids, _: [root_id, *ids]):
            return self.cost(query, order=order)


@databases.on_each_database
class InfeasibleRoots(Counted):
    """If a test fails, the search loads trees that the database could have ruled out."""

    NEAR, FAR = (str(uuid.UUID(int=number)) for number in (1, 2))

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.host = self.provider(conn, "host", "VCPU", [self.NEAR], "HW_CPU_X86_VMX")
            provider(conn, "card", {"FPGA": 1}, parent=self.host)
            self.pool = self.provider(conn, "pool", "DISK_GB", [self.NEAR], SHARES)
            self.provider(conn, "far pool", "PCI_DEVICE", [self.FAR], SHARES)
            self.neighbour = self.provider(conn, "neighbour", "VGPU", [self.NEAR])

    def provider(self, conn, name, class_name, aggregates, *traits):
        """Create a provider with eight units of a class."""
        created = provider(conn, name, {class_name: 8})
        set_traits(conn, created, traits)
        set_aggregates(conn, created, aggregates, advance_generation=True)
        return created

    def assert_all_are_infeasible(self, *queries):
        for query in queries:
            # The roots are ruled out by sets of ids, and then by conditions in SQL. Reading a tree
            # would take three more statements.
            for way, most_statements in ((contextlib.nullcontext(), 4), (ids_read_up_to(0), 5)):
                with way:
                    found, statements = self.cost(query)
                self.assertEqual(0, found, query)
                self.assertLessEqual(statements, most_statements, query)

    def test_each_query_finds_the_root_that_other_tests_make_infeasible(self):
        near, vmx = frozenset({self.NEAR}), frozenset({"HW_CPU_X86_VMX"})
        for group in (
            Group("", {"VCPU": 8, "DISK_GB": 8}, required=(vmx,), member_of=(near,)),
            Group("", {"VCPU": 8, "FPGA": 1}, in_tree=self.host.uuid),
            Group("1", {"VCPU": 8}, (vmx,), member_of=(near,), in_tree=self.host.uuid),
        ):
            self.assertEqual(1, self.cost(CandidateQuery((group,), root_required=vmx))[0], group)

    def test_a_root_whose_providers_lack_a_trait_aggregate_or_tree_is_left_out(self):
        asked = (
            {"required": (frozenset({"HW_CPU_X86_AVX2"}),)},
            {"forbidden": frozenset({"HW_CPU_X86_VMX"})},
            {"member_of": (frozenset({self.FAR}),)},
            {"not_member_of": frozenset({self.NEAR})},
            {"in_tree": self.pool.uuid},
        )
        for suffix in ("", "1"):
            self.assert_all_are_infeasible(
                CandidateQuery((Group(suffix, {"VCPU": 9}),)),
                *(CandidateQuery((Group(suffix, {"VCPU": 8}, **each),)) for each in asked),
            )

    def test_a_root_with_no_provider_of_a_class_is_left_out(self):
        self.assert_all_are_infeasible(
            *(
                CandidateQuery((Group("", {"VCPU": 8, class_name: 1}),))
                # No provider has the first class. Only a pool elsewhere has the second one. Only a
                # neighbour has the third one, and does not share it.
                for class_name in ("MEMORY_MB", "PCI_DEVICE", "VGPU")
            ),
            CandidateQuery((Group("", {"VCPU": 8, "DISK_GB": 1}, in_tree=self.host.uuid),)),
        )

    def test_only_the_roots_that_a_rare_pool_shares_with_are_read(self):
        near = [self.host.id, self.pool.id, self.neighbour.id]
        # If there are more of them than the limit, all roots are read.
        for most, expected in ((3, [near]), (2, [])):
            rare = mock.patch.multiple(narrowing, FEWEST_ROOTS=0, SHARE=0, MOST_RARE=most)
            among = mock.patch.object(roots, "among", wraps=roots.among)
            with rare, ids_read_up_to(0), among as among:
                self.cost(CandidateQuery((Group("", {"DISK_GB": 1}),)))
            self.assertEqual(expected, [sorted(*call.args) for call in among.call_args_list])

    def test_as_many_providers_are_counted_and_roots_read_as_show_that_there_are_too_many(self):
        with self.database.writer() as conn:
            for number in range(5):
                provider(conn, f"host{number}", {"VCPU": 1})
        rare = {"FEWEST_ROOTS": 0, "SHARE": 0, "MOST_RARE": 1}
        wrapped = {name: getattr(rarest_condition, name) for name in ("_counts", "_roots_of")}
        seen = {name: [] for name in wrapped}

        def noting(name):
            def noted(*arguments):
                seen[name].append(wrapped[name](*arguments))
                return seen[name][-1]

            return noted

        with (
            mock.patch.multiple(narrowing, **rare),
            mock.patch.multiple(rarest_condition, **{name: noting(name) for name in wrapped}),
            ids_read_up_to(0),
        ):
            self.cost(CandidateQuery((Group("", {"VCPU": 1}),)))
            self.cost(CandidateQuery((Group("", {"DISK_GB": 1}),)))
        # The one pool serves three roots, of which two are read.
        self.assertEqual([[1, 2], [1, 1]], seen["_counts"])
        self.assertEqual([2], [len(root_ids) for root_ids in seen["_roots_of"]])

    def test_a_root_in_a_forbidden_aggregate_or_with_wrong_traits_is_left_out(self):
        card = Group("", {"FPGA": 1})
        outside = dataclasses.replace(card, not_member_of=frozenset({self.NEAR}))
        self.assert_all_are_infeasible(
            CandidateQuery((outside,)),
            CandidateQuery((card,), root_required=frozenset({"HW_CPU_X86_AVX2"})),
            # Other roots have it.
            CandidateQuery((card,), root_required=frozenset({SHARES})),
            CandidateQuery((card,), root_forbidden=frozenset({"HW_CPU_X86_VMX"})),
        )


# The ids of fifty roots, or of one, and the highest id of any provider. (MySQL assigns the ids that
# follow.)
IDS = {
    "counting": (range(1, 51), 50),
    "with children": (range(1, 1001, 20), 1001),
    "clustered": ([*range(1, 50), 9000], 9000),
    "gappy": ([*random.Random(39).sample(range(1, 9000), 50)], 9000),
    "dense but for a gap": ([*range(1, 26), *range(200, 225)], 224),
    "one": ([7], 7),
}


@databases.on_each_database
class Fairness:
    """If a test fails, some hosts are chosen more often than other suitable ones, or never."""

    def setUp(self):
        super().setUp()
        # Random, but the same each time.
        self.useFixture(fixtures.MockPatchObject(rotation_start, "random", random.Random(39)))
        self.useFixture(fixtures.MockPatchObject(batches, "random", random.Random(40)))
        self.useFixture(fixtures.MockPatchObject(small_trees, "random", random.Random(41)))
        self.useFixture(fixtures.MockPatchObject(search, "random", random.Random(42)))

    def add_roots(self, root_ids, highest):
        rows = [
            {"id": key, "uuid": str(uuid.UUID(int=key)), "name": str(key), "generation": 0}
            | {"counted_generation": 0, "root_provider_id": key, "parent_provider_id": None}
            for key in root_ids
        ]
        if highest not in root_ids:
            [child] = [rows[0] | {"id": highest, "uuid": "child", "name": "child"}]
            rows.append(child | {"parent_provider_id": rows[0]["id"]})
        with self.database.writer() as conn:
            conn.execute(sa.delete(tables.resource_providers).where(_is_child))
            conn.execute(sa.update(tables.resource_providers).values(root_provider_id=None))
            conn.execute(sa.delete(tables.resource_providers))
            conn.execute(sa.insert(tables.resource_providers), rows)

    def test_each_root_is_as_likely_to_be_the_first_as_any_other(self):
        for name, (root_ids, highest) in IDS.items():
            self.add_roots(root_ids, highest)
            with self.subTest(name), self.database.reader() as conn:
                provider_ids = self.database.caches.provider_ids
                chosen = collections.Counter(
                    rotation_start.draw(conn, provider_ids) for _ in range(1000)
                )
                self.assert_fair(chosen, root_ids)

    def test_without_providers_no_random_root_is_chosen(self):
        with self.database.reader() as conn:
            self.assertEqual(0, rotation_start.draw(conn, self.database.caches.provider_ids))

    def test_each_host_that_fits_is_as_likely_as_any_other(self):
        # The ten hosts that fit come one after another, after all those that do not fit.
        with self.database.writer() as conn:
            hosts = [provider(conn, f"host{n}", {"VCPU": 1 + n // 40}).id for n in range(50)]
        query = CandidateQuery((Group("", {"VCPU": 2}),), limit=1)
        strategy = search.Strategy(order=Order.ROTATED)
        for way in (as_small_cloud, in_batches):
            with self.subTest(way.__name__), way():
                chosen = collections.Counter(
                    self.first_host(query, strategy) for _ in range(200)
                )
                self.assert_fair(chosen, hosts[40:])

    def test_each_host_is_as_likely_to_be_chosen_at_random_as_any_other(self):
        hosts = self.add_ten_hosts()
        for way in (as_small_cloud, in_batches):
            with self.subTest(way.__name__), way():
                self.assert_fair(self.chosen_at_random(150), hosts)

    def test_each_host_may_be_chosen_from_roots_in_the_random_order_of_the_database(self):
        hosts = self.add_ten_hosts()
        with in_batches(), ids_read_up_to(0):
            # That a host is left out by chance happens in one of a hundred million runs.
            chosen = self.chosen_at_random(200)
        self.assertEqual(set(hosts), chosen.keys())

    def chosen_at_random(self, times):
        query = CandidateQuery((Group("", {"VCPU": 1}),), limit=1)
        # Of the ten trees, three are read, and two candidates are built.
        strategy = search.Strategy(order=Order.RANDOM, most=2)
        with mock.patch.object(narrowing, "SPARE_ROOTS", 2):
            return collections.Counter(self.first_host(query, strategy) for _ in range(times))

    def add_ten_hosts(self):
        with self.database.writer() as conn:
            return [provider(conn, f"host{n}", {"VCPU": 1}).id for n in range(10)]

    def first_host(self, query, strategy):
        [found] = search.find(self.database, query, strategy).candidates
        return found.providers_by_suffix[""][0]

    def assert_fair(self, chosen, choices):
        """Check that the chi-square of the counts is below what 1 % of fair choices exceed."""
        self.assertLessEqual(chosen.keys(), set(choices))
        expected = chosen.total() / len(choices)
        square = sum((chosen[each] - expected) ** 2 / expected for each in choices)
        self.assertLessEqual(square, CHI_SQUARE[len(choices) - 1], chosen)


_is_child = tables.resource_providers.c.parent_provider_id.is_not(None)
# The critical values at one per cent, by degrees of freedom.
CHI_SQUARE = {0: 0, 9: 21.67, 49: 74.92}


class _Strategies:
    """If a test fails, operators do not get the candidates that their options name.

    A subclass defines begun(position), which makes a rotated answer begin there.
    """

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            created = [provider(conn, f"host{n}", {"VCPU": 1}) for n in range(15)]
            provider(conn, "card", {"FPGA": 1}, parent=created[0])
        self.hosts = [host.id for host in created]

    def find(self, limit=None, **strategy):
        """Return the ids of the hosts of the candidates."""
        query = CandidateQuery((Group("", {"VCPU": 1}),), limit=limit)
        found = search.find(self.database, query, search.Strategy(**strategy))
        self.read = found.host_count
        return [each.providers_by_suffix[""][0] for each in found.candidates]

    def test_the_smaller_of_the_two_limits_counts(self):
        for limit, most, expected in ((2, 3, 2), (3, 2, 2), (None, 2, 2), (2, None, 2)):
            self.assertEqual(self.hosts[:expected], self.find(limit, most=most))

    def test_a_rotated_answer_starts_at_any_root_and_wraps_around(self):
        for position in range(len(self.hosts)):
            expected = self.hosts[position:] + self.hosts[:position]
            for limit in (1, 7, 15, 99):
                with self.begun(position):
                    self.assertEqual(expected[:limit], self.find(limit, order=Order.ROTATED))

    def test_without_a_limit_candidates_keep_their_order(self):
        for _ in range(3):
            self.assertEqual(self.hosts, self.find(order=Order.ROTATED))

    def test_a_random_choice_is_made_from_all_candidates(self):
        # Thirty choices of fifteen hosts will hardly all be the first.
        self.assertLess(1, len({self.find(limit=1, order=Order.RANDOM)[0] for _ in range(30)}))

    def test_a_random_choice_is_from_all_candidates_even_if_not_all_may_be_built(self):
        seen = set()
        for _ in range(30):
            found = self.find(limit=2, most=3, order=Order.RANDOM)
            self.assertEqual(2, len(set(found)))
            seen.update(found)
        # Sixty choices of fifteen hosts will hardly leave out twelve.
        self.assertLess(3, len(seen))

    def test_a_random_choice_of_more_than_exist_returns_all(self):
        for limit in (99, None):
            self.assertEqual(set(self.hosts), set(self.find(limit, order=Order.RANDOM)))


@databases.on_each_database
class Strategies(_Strategies):
    def begun(self, position):
        return mock.patch.object(random, "randrange", return_value=position)


@databases.on_each_database
class StrategiesInBatches(InBatches, _Strategies):
    @contextlib.contextmanager
    def begun(self, position):
        with (
            mock.patch.object(rotation_start, "draw", return_value=self.hosts[position]),
            mock.patch.object(random, "randrange", return_value=0),
        ):
            yield

    def test_a_random_choice_reads_only_the_trees_that_it_needs(self):
        self.find(limit=2, order=Order.RANDOM)
        self.assertEqual(2 + narrowing.SPARE_ROOTS, self.read)


class _BoundedSearch:
    """If a test fails, a request may keep a thread, or a transaction, for as long as it likes."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.hosts = [provider(conn, f"host{n}", {"VCPU": 4}).id for n in range(30)]

    def find(self, amount, limit=None, **strategy):
        groups = (Group("_a", {"VCPU": amount}), Group("_b", {"VCPU": amount}))
        query = CandidateQuery(groups, limit=limit)
        return search.find(self.database, query, search.Strategy(**strategy)).candidates

    def test_a_search_that_ends_early_returns_what_it_has_found(self):
        with self.assertLogs("placement.candidates", "WARNING") as logged:
            found = self.find(1, most_effort=60)
        some = len(found)
        self.assertTrue(0 < some < 30, some)
        self.assertEqual(self.hosts[:some], [each.providers_by_suffix["_a"][0] for each in found])
        self.assertIn(f"max_search_effort, with {some} found", logged.output[0])

    def test_a_search_that_ends_early_without_candidates_is_refused(self):
        with self.database.writer() as conn:
            wide = provider(conn, "wide")
            for number in range(3):
                provider(conn, f"child{number}", {"VCPU": 5}, parent=wide)
        self.assertEqual(6, len(self.find(3)))
        with self.assertLogs("placement.candidates", "WARNING"):
            self.assertRaises(exception.SearchTooLong, self.find, 3, most_effort=1)

    def test_an_unknown_trait_is_named_although_the_effort_is_spent_before_it(self):
        """If it fails, a client is asked for a simpler query, and the name stays misspelt."""
        unknown = Group("_b", {"VCPU": 1}, required=(frozenset(["CUSTOM_NONE"]),))
        query = CandidateQuery((Group("_a", {"VCPU": 1}), unknown))
        for most in (1, 60):
            strategy = search.Strategy(most_effort=most)
            self.assertRaises(
                exception.UnknownTraits, search.find, self.database, query, strategy
            )

    def test_a_search_ends_when_its_client_has_hung_up(self):
        def check_abort():
            raise GoneError

        with mock.patch.object(effort, "CHECKED_EVERY", 10):
            self.assertRaises(GoneError, self.find, 1, check_abort=check_abort)


@databases.on_each_database
class BoundedSearch(_BoundedSearch):
    """The same tests in a small cloud."""


@databases.on_each_database
class BoundedSearchInBatches(InBatches, _BoundedSearch):
    def test_no_transaction_is_open_while_the_search_computes(self):
        reader = self.database.reader
        readers, open_readers = [], []

        @contextlib.contextmanager
        def counted():
            with reader() as conn:
                readers.append(conn)
                open_readers.append(conn)
                yield conn
            open_readers.remove(conn)

        def check_abort():
            self.assertEqual([], open_readers)

        with (
            mock.patch.object(self.database, "reader", counted),
            mock.patch.object(narrowing, "SPARE_ROOTS", -20),
            mock.patch.object(effort, "CHECKED_EVERY", 1),
        ):
            self.assertEqual(29, len(self.find(1, limit=29, check_abort=check_abort)))
        self.assertEqual(2, len(readers))


class GoneError(Exception):
    pass


class _UnknownNames:
    """Q5 of doc/explanation/rules.rst: what cannot be served hides unknown names after it."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 4})

    def ask(self, *groups, **query):
        query = CandidateQuery(groups, **query)
        return search.find(self.database, query, search.Strategy())

    def assert_nothing(self, *groups, **query):
        self.assertEqual([], self.ask(*groups, **query).candidates)

    def test_an_unknown_class_is_reported_before_aggregates_are_checked(self):
        group = Group("", {"NOPE": 1}, member_of=(frozenset({"unused"}),))
        self.assertRaises(exception.UnknownResourceClass, self.ask, group)

    def test_aggregates_without_members_end_a_query_before_unknown_traits_are_reported(self):
        group = Group(
            "", {"VCPU": 1}, required=(frozenset({"NX"}),), member_of=(frozenset({"unused"}),)
        )
        self.assert_nothing(group)

    def test_an_unknown_trait_is_reported_before_capacity_is_checked(self):
        group = Group("", {"VCPU": 9999}, required=(frozenset({"NX"}),))
        error = self.assertRaises(exception.UnknownTraits, self.ask, group)
        self.assertEqual("No such trait(s): NX.", str(error))

    def test_an_earlier_group_that_cannot_be_served_hides_later_names(self):
        large, unknown = Group("1", {"VCPU": 9999}), Group("2", {"NOPE": 1})
        self.assert_nothing(large, unknown)
        self.assertRaises(exception.UnknownResourceClass, self.ask, unknown, large)

    def test_a_root_that_cannot_be_met_hides_unknown_classes(self):
        trait = frozenset({"HW_CPU_X86_AVX2"})
        self.assert_nothing(Group("", {"NOPE": 1}), root_required=trait)

    def test_without_providers_unknown_names_are_still_reported(self):
        with self.database.writer() as conn:
            resource_provider.delete(conn, self.host.uuid)
        unknown_trait = Group("", {"VCPU": 1}, required=(frozenset({"NX"}),))
        self.assertRaises(exception.UnknownTraits, self.ask, unknown_trait)
        self.assertRaises(exception.UnknownResourceClass, self.ask, Group("", {"NOPE": 1}))

    def test_a_root_with_a_forbidden_trait_hides_unknown_classes(self):
        vmx = "HW_CPU_X86_VMX"
        with self.database.writer() as conn:
            set_traits(conn, self.host, [vmx])
        self.assert_nothing(Group("", {"NOPE": 1}), root_forbidden=frozenset({vmx}))

    def test_a_group_that_only_another_root_serves_hides_later_names(self):
        vmx = "HW_CPU_X86_VMX"
        with self.database.writer() as conn:
            set_traits(conn, provider(conn, "small", {"VCPU": 1}), [vmx])
        groups = Group("1", {"VCPU": 4}), Group("2", {"NOPE": 1})
        self.assert_nothing(*groups, root_required=frozenset({vmx}))
        with self.database.writer() as conn:
            set_traits(conn, self.host, [vmx])
            provider(conn, "other", {"VCPU": 1})
        self.assert_nothing(*groups, root_forbidden=frozenset({vmx}))

    def test_classes_are_named_before_traits_and_required_traits_before_forbidden(self):
        unknown = {"required": (frozenset({"NX2", "NX3"}),), "forbidden": frozenset({"NX1"})}
        error = self.assertRaises(
            exception.UnknownTraits, self.ask, Group("", {"VCPU": 1}, **unknown)
        )
        self.assertEqual("No such trait(s): NX2.", str(error))
        group = Group("", {"NOPE": 1}, **unknown)
        self.assertRaises(exception.UnknownResourceClass, self.ask, group)

    def test_required_traits_of_the_root_are_reported_before_forbidden_ones(self):
        error = self.assertRaises(
            exception.UnknownTraits,
            self.ask,
            Group("", {"VCPU": 1}),
            root_required=frozenset({"NX2"}),
            root_forbidden=frozenset({"NX1"}),
        )
        self.assertEqual("No such trait(s): NX2.", str(error))

    def test_an_unknown_name_is_reported_even_in_an_unknown_tree(self):
        group = Group("", {"NOPE": 1}, in_tree=provider_uuid(77))
        self.assertRaises(exception.UnknownResourceClass, self.ask, group)

    def test_an_unknown_tree_has_no_candidates(self):
        self.assert_nothing(Group("", {"VCPU": 1}, in_tree=provider_uuid(77)))


@databases.on_each_database
class UnknownNames(_UnknownNames):
    """The same tests in a small cloud."""


@databases.on_each_database
class UnknownNamesInBatches(InBatches, _UnknownNames):
    """The same tests in batches."""
