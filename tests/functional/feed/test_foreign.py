"""What others write, by hand in SQL or as another Placement, is reported in the feed.

Source: doc/explanation/changes.rst.
"""

# ruff: noqa: S608

import sqlalchemy as sa

from placement.db.feed import foreign_triggers, positions
from placement.db.schema import migrate
from placement.objects.feed import positioning
from tests import databases
from tests.functional.feed import test_changes
from tests.functional.feed.test_changes import CONSUMER, HOST, OTHER, RACK, claim

_CONSUMER = """
    INSERT INTO consumers (uuid, project_id, user_id, generation) SELECT '{0}', projects.id,
    users.id, 1 FROM projects, users
"""
_ALLOCATION = """
    INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
    VALUES (:{1}, 0, '{0}', 3)
"""
_CLAIM = f"{_CONSUMER}; {_ALLOCATION.format('{0}', 'host')}"
_ADVANCE = "UPDATE resource_providers SET generation = generation + 1"


class ByOthers:
    """Sends statements like a program that knows nothing of the feed."""

    def setUp(self):
        super().setUp()
        self.others = sa.create_engine(self.service.configuration.placement_database.connection)
        self.addCleanup(self.others.dispose)
        self.make_host()
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 1}}))
        self.before = self.newest()

    def by_others(self, statements):
        with self.others.begin() as conn:
            # A trigger of MySQL cannot lock a table that the statement reads.
            host, newest = conn.execute(
                sa.text("SELECT min(id), max(id) FROM resource_providers")
            ).one()
            for statement in statements.split(";"):
                conn.execute(sa.text(statement), {"host": host, "newest": newest})

    def reported(self, statements):
        """Return the changes that the feed reports after others have sent statements."""
        self.by_others(statements)
        document = self.changes(self.before)
        self.before = document["next"]
        return document["changes"]


@databases.on_each_database
class Foreign(ByOthers, test_changes.ServiceWithChanges):
    """If a test fails, an operator does not see what other programs have done."""

    def test_a_claim_of_another_program_shows_what_it_takes_but_not_who_made_it(self):
        allocations, provider = self.reported(f"{_CLAIM.format(OTHER)}; {_ADVANCE}")
        for change in (allocations, provider):
            self.assertEqual(
                ("database", None, None, None),
                tuple(change[each] for each in ("by", "actor", "operation", "request_id")),
            )
        self.assertEqual(("allocations", OTHER), (allocations["kind"], allocations["uuid"]))
        self.assertIsNone(allocations["before"])
        self.assertEqual(
            {HOST: {"resources": {"VCPU": 3}}}, allocations["after"].pop("allocations")
        )
        self.assertEqual(
            {
                "consumer_generation": 1,
                "consumer_type": "unknown",
                "created_at": None,
                "project_id": "project",
                "user_id": "user",
            },
            allocations["after"],
        )
        self.assertEqual(("provider", HOST), (provider["kind"], provider["uuid"]))
        self.assertEqual(provider["before"], provider["after"])
        self.assertEqual({HOST: 3}, provider["generations"])

    def test_a_change_begins_where_the_last_one_of_its_subject_has_ended(self):
        [change] = self.reported("UPDATE allocations SET used = 5")
        self.assertEqual(1, change["before"]["allocations"][HOST]["resources"]["VCPU"])
        self.assertEqual(5, change["after"]["allocations"][HOST]["resources"]["VCPU"])
        [change] = self.reported("DELETE FROM allocations; DELETE FROM consumers")
        self.assertEqual(5, change["before"]["allocations"][HOST]["resources"]["VCPU"])
        self.assertIsNone(change["after"])

    def test_every_write_of_others_is_reported_on_connections_that_share_triggers_with_ours(self):
        """MySQL keeps triggers in 16 caches, each of which serves some of the connections."""
        for number in range(17):
            self.service.database.engine.dispose()
            self.send("PUT", f"/resource_providers/{HOST}", {"name": f"host-{number}"})
        self.before = self.newest()
        for _ in range(17):
            self.others.dispose()
            self.by_others("UPDATE resource_providers SET generation = generation + 1")
        self.assertEqual(17, len(self.changes(self.before)["changes"]))

    def test_our_next_change_begins_with_what_another_program_left(self):
        self.by_others("UPDATE allocations SET used = 5")
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 7}}, 1))
        self.by_others("UPDATE allocations SET used = 9")
        changes = self.changes(self.before)["changes"]
        amounts = [
            [change[each]["allocations"][HOST]["resources"]["VCPU"] for each in ("before", "after")]
            for change in changes
        ]
        self.assertEqual([[1, 5], [5, 7], [7, 9]], amounts)
        self.assertEqual(["database", "service", "database"], [each["by"] for each in changes])

    def test_each_change_of_a_provider_has_its_names_and_begins_where_the_last_one_has_ended(self):
        for name in ("a", "b"):
            self.by_others(f"UPDATE resource_providers SET name = '{name}'")
        self.send("PUT", f"/resource_providers/{HOST}", {"name": "c"})
        self.by_others("UPDATE resource_providers SET name = 'd'")
        changes = self.changes(self.before)["changes"]
        states = [[each["before"]["name"], each["after"]["name"]] for each in changes]
        self.assertEqual([["host-0001", "a"], ["a", "b"], ["b", "c"], ["c", "d"]], states)
        self.assertEqual(["a", "b", "c", "d"], [each["name"] for each in changes])

    def add_child(self):
        """Add a provider without a generation below the host."""
        self.by_others(
            "INSERT INTO resource_providers (uuid, name, parent_provider_id, root_provider_id)"
            f" VALUES ('{RACK}', 'child', :host, :host)"
        )

    def test_a_provider_of_another_program_is_reported_with_its_parent_and_a_generation(self):
        self.add_child()
        [change] = self.changes(self.before)["changes"]
        self.assertEqual(
            {"name": "child", "parent_provider_uuid": HOST, "root_provider_uuid": HOST},
            change["after"],
        )
        self.assertEqual({RACK: 0}, change["generations"])

    def delete_host(self):
        self.send("DELETE", f"/allocations/{CONSUMER}")
        self.send("DELETE", f"/resource_providers/{HOST}")

    def test_a_parent_that_was_deleted_since_is_named_as_in_our_next_change(self):
        self.add_child()
        self.send("DELETE", f"/resource_providers/{RACK}")
        self.delete_host()
        added, deleted = self.changes(self.before, provider=RACK)["changes"]
        self.assertEqual(HOST, added["after"]["parent_provider_uuid"])
        self.assertEqual(added["after"], deleted["before"])

    def test_what_was_written_to_a_provider_that_we_have_deleted_since_is_not_reported(self):
        self.by_others("UPDATE inventories SET total = 50")
        self.delete_host()
        changes = self.changes(self.before)["changes"]
        self.assertEqual({"service"}, {each["by"] for each in changes})
        self.assertNotIn(None, [each["operation"] for each in changes])

    def test_our_own_changes_cost_no_statement_about_others(self):
        self.send("PUT", "/traits/CUSTOM_A")
        # To see them, one statement reads the ids. To give positions, one locks the feed, one reads
        # the ids again, and two write.
        self.assertEqual((1, 4), self.statements_for_positions())
        self.by_others(_ADVANCE)
        # One more completes what another program wrote; nothing is dropped.
        self.assertEqual(5, self.statements_for_positions()[1])

    def statements_for_positions(self):
        """Return how many statements it takes to see changes, and to give them positions."""
        database = self.service.database
        reading, writing = databases.Statements(database), databases.Statements(database)
        with reading, database.reader() as conn:
            seen = positioning.see(conn)
        with writing, database.writer() as conn:
            self.assertTrue(positions.assign(conn, seen))
        return len(reading.seen), len(writing.seen)

    def test_the_parts_of_a_provider_are_reported_in_the_words_of_the_service(self):
        self.send("PUT", "/traits/CUSTOM_A")
        self.before = self.newest()
        inventories, traits, aggregates = self.reported(
            "UPDATE inventories SET total = 50, reserved = 1 WHERE resource_class_id = 0;"
            "INSERT INTO resource_provider_traits (resource_provider_id, trait_id) SELECT"
            " resource_providers.id, traits.id FROM resource_providers, traits"
            " WHERE traits.name = 'CUSTOM_A';"
            f"INSERT INTO placement_aggregates (uuid) VALUES ('{RACK}');"
            "INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id)"
            " SELECT resource_providers.id, placement_aggregates.id"
            " FROM resource_providers, placement_aggregates"
        )
        self.assertEqual([HOST] * 3, [each["uuid"] for each in (inventories, traits, aggregates)])
        self.assertEqual("host-0001", inventories["name"])
        self.assertEqual(
            {"total": 50, "reserved": 1, "capacity": 49},
            {
                name: inventories["after"]["VCPU"][name]
                for name in ("total", "reserved", "capacity")
            },
        )
        self.assertEqual(100, inventories["before"]["VCPU"]["total"])
        self.assertEqual((None, ["CUSTOM_A"]), (traits["before"], traits["after"]))
        self.assertEqual((None, [RACK]), (aggregates["before"], aggregates["after"]))

    def test_more_providers_take_no_more_statements(self):
        self.send("PUT", "/traits/CUSTOM_A")
        self.by_others(f"INSERT INTO placement_aggregates (uuid) VALUES ('{RACK}')")
        self.newest()
        of_one = self.statements_for_parts()
        for host in (f"{HOST[:-4]}0002", f"{HOST[:-4]}0003"):
            self.make_host(host)
        self.newest()
        self.assertEqual(of_one, self.statements_for_parts())

    def statements_for_parts(self):
        """Return how many statements it takes to report what others write to all providers."""
        self.by_others(
            "UPDATE inventories SET total = total + 1;"
            "DELETE FROM resource_provider_traits;"
            "INSERT INTO resource_provider_traits (resource_provider_id, trait_id) SELECT"
            " resource_providers.id, traits.id FROM resource_providers, traits"
            " WHERE traits.name = 'CUSTOM_A';"
            "DELETE FROM resource_provider_aggregates;"
            "INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id)"
            " SELECT resource_providers.id, placement_aggregates.id"
            " FROM resource_providers, placement_aggregates"
        )
        statements = databases.Statements(self.service.database)
        with statements, self.service.database.reader() as conn:
            positioning.see(conn)
        self.newest()
        return len(statements.seen)

    def test_a_change_of_a_name_has_the_old_and_the_new_one(self):
        changes = self.reported(
            "INSERT INTO traits (name) VALUES ('CUSTOM_T');"
            "INSERT INTO resource_classes (id, name) VALUES (10000, 'CUSTOM_C');"
            "UPDATE resource_classes SET name = 'CUSTOM_D' WHERE name = 'CUSTOM_C';"
            "DELETE FROM traits WHERE name = 'CUSTOM_T'"
        )
        self.assertEqual(
            [
                ("trait", "CUSTOM_T", None, {"name": "CUSTOM_T"}),
                ("resource_class", "CUSTOM_C", None, {"name": "CUSTOM_C"}),
                ("resource_class", "CUSTOM_D", {"name": "CUSTOM_C"}, {"name": "CUSTOM_D"}),
                ("trait", "CUSTOM_T", {"name": "CUSTOM_T"}, None),
            ],
            [
                tuple(change[each] for each in ("kind", "name", "before", "after"))
                for change in changes
            ],
        )

    def test_a_deleted_provider_is_reported_without_its_parts(self):
        [consumer, _, provider] = self.reported(
            "DELETE FROM allocations; DELETE FROM consumers; DELETE FROM inventories;"
            "UPDATE resource_providers SET root_provider_id = NULL; DELETE FROM resource_providers"
        )
        self.assertEqual(("allocations", None), (consumer["kind"], consumer["after"]))
        self.assertEqual(("provider", None), (provider["kind"], provider["after"]))
        self.assertEqual("host-0001", provider["before"]["name"])
        self.assertEqual({}, provider["generations"])

    def test_each_foreign_change_has_a_sentence(self):
        self.by_others(f"{_CLAIM.format(OTHER)}; {_ADVANCE}; DELETE FROM allocations")
        for change in self.changes(self.before, sentences="true")["changes"]:
            self.assertTrue("".join(each["text"] for each in change["sentence"]), change)

    def test_what_is_rolled_back_is_not_reported(self):
        with self.others.connect() as conn:
            conn.execute(sa.text(_ADVANCE))
            conn.rollback()
        self.assertEqual([], self.changes(self.before)["changes"])

    def test_a_foreign_write_is_reported_once_even_if_two_readers_give_it_a_position(self):
        """The second reader has outdated data, and reads again."""
        self.by_others("UPDATE allocations SET used = 5")
        with self.service.database.reader() as conn:
            seen = positioning.see(conn)
        self.by_others("UPDATE allocations SET used = 6")
        [change] = self.changes(self.before)["changes"]
        self.assertEqual(6, change["after"]["allocations"][HOST]["resources"]["VCPU"])
        with self.service.database.writer() as conn:
            self.assertFalse(positions.assign(conn, seen))
        self.assertEqual([change], self.changes(self.before)["changes"])

    def test_a_reader_does_not_drop_a_change_that_has_a_position_by_now(self):
        """The second reader wanted to report the two writes as one change."""
        seen = []
        for used in (5, 6):
            self.by_others(f"UPDATE allocations SET used = {used}")
            with self.service.database.reader() as conn:
                seen.append(positioning.see(conn))
        for each, is_done in zip(seen, (True, False), strict=True):
            with self.service.database.writer() as conn:
                self.assertEqual(is_done, positions.assign(conn, each))
        changes = self.changes(self.before)["changes"]
        self.assertEqual(
            [5, 6],
            [each["after"]["allocations"][HOST]["resources"]["VCPU"] for each in changes],
        )

    def test_without_history_there_are_no_triggers(self):
        triggers = foreign_triggers.FOREIGN_WRITES
        self.addCleanup(self.install)
        for has_history in (False, True, False):
            migrate.share(self.service.database, has_history=has_history)
            with self.service.database.reader() as conn:
                self.assertEqual(has_history, triggers.are_present(conn))

    def test_the_triggers_come_and_go_together(self):
        triggers = foreign_triggers.FOREIGN_WRITES
        with self.service.database.writer() as conn:
            self.assertTrue(triggers.are_present(conn))
            triggers.remove(conn)
            self.assertEqual([], triggers.present(conn))
        self.addCleanup(self.install)
        self.assertEqual([], self.reported(_ADVANCE))

    def install(self):
        with self.service.database.writer() as conn:
            foreign_triggers.FOREIGN_WRITES.install(conn)


@databases.on_each_database
class FollowingOthers(ByOthers, test_changes.FollowingWrites):
    """If it fails, a copy of the cloud differs from it after writes of other programs."""

    def test_a_copy_follows_what_others_write(self):
        self.copy.read()
        for statements in (
            f"{_CLAIM.format(OTHER)}; {_ADVANCE}",
            "UPDATE inventories SET total = 50 WHERE resource_class_id = 0",
            "DELETE FROM inventories WHERE resource_class_id = 1",
            f"UPDATE resource_providers SET name = 'new'; {_ADVANCE}",
            f"DELETE FROM allocations WHERE consumer_id = '{CONSUMER}'",
            "DELETE FROM allocations; DELETE FROM consumers",
            "INSERT INTO resource_providers (uuid, name, generation)"
            f" VALUES ('{RACK}', 'other', 0);"
            "UPDATE resource_providers SET root_provider_id = id",
            "UPDATE resource_providers SET root_provider_id = NULL WHERE name = 'other';"
            "DELETE FROM resource_providers WHERE name = 'other'",
        ):
            self.by_others(statements)
            self.assert_in_step()
        self.assertIn(HOST, self.copy.providers)

    def test_a_copy_follows_a_consumer_of_which_the_feed_knows_nothing(self):
        with self.service.database.writer() as conn:
            conn.exec_driver_sql("DELETE FROM placement_changes")
        self.copy.read()
        self.by_others(f"DELETE FROM allocations WHERE consumer_id = '{CONSUMER}'")
        self.assert_in_step()

    def test_a_copy_follows_a_claim_on_a_provider_that_was_added_after_the_consumer(self):
        self.copy.read()
        self.by_others(_CONSUMER.format(OTHER))
        self.by_others(
            "INSERT INTO resource_providers (uuid, name, generation)"
            f" VALUES ('{RACK}', 'other', 0);"
            "UPDATE resource_providers SET root_provider_id = id"
        )
        # The inventory is written before the claim, and again after it.
        self.by_others(
            "INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved,"
            " min_unit, max_unit, step_size, allocation_ratio)"
            " VALUES (:newest, 0, 8, 0, 1, 8, 1, 1.0);"
            f"{_ALLOCATION.format(OTHER, 'newest')};"
            "UPDATE inventories SET total = 16 WHERE resource_provider_id = :newest"
        )
        self.assert_in_step()
        self.assertEqual(3, self.copy.providers[RACK]["inventories"]["VCPU"]["used"])
