"""Finding things by the beginning of a name or UUID, on each database, and with the command."""

import json

import fixtures
import sqlalchemy as sa

from placement.cmd import manage
from placement.conf.operator_names import GivenNames
from placement.db.reports import matching_names
from placement.db.subjects_of_names import Subject
from placement.objects import find_by_name, trait
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, provider, set_aggregates, set_traits, take

RACK = "aaaaaaaa-0000-4000-8000-000000000001"
INSTANCE = "bbbbbbbb-0000-4000-8000-000000000001"


@databases.on_each_database
class Finding(Commands):
    """If a test fails, an operator who has a name cannot find out what it belongs to."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        with self.database.writer() as conn:
            self.host = provider(conn, "node_1.example", {"VCPU": 8})
            self.card = provider(conn, "node_1.example:card", {"PGPU": 1}, parent=self.host)
            self.other = provider(conn, "Node_2", {"VCPU": 8})
            set_aggregates(conn, self.host, [RACK])
            trait.ensure(conn, "CUSTOM_GOLD")
            set_traits(conn, self.host, ["CUSTOM_GOLD", "HW_CPU_X86_AVX2"])
        take(
            self.database,
            claim(
                {self.other: {"VCPU": 1}, self.card: {"PGPU": 1}, self.host: {"VCPU": 1}},
                consumer_uuid=INSTANCE,
                generation=None,
                project_id="p" * 32,
            ),
        )
        self.names = GivenNames(None)

    def name(self, **names):
        path = f"{self.useFixture(fixtures.TempDir()).path}/names.json"
        with open(path, "w") as file:
            json.dump(names, file)
        self.names = GivenNames(path)
        return path

    def found(self, text):
        with self.database.reports() as conn:
            return find_by_name.matches(conn, text, self.names)

    def ids(self, text):
        return [(each.kind.value, each.id) for each in self.found(text).found]

    def test_providers_are_found_by_the_exact_beginning_of_their_names(self):
        self.assertEqual(
            [("host", self.host.uuid), ("provider", self.card.uuid)], self.ids("node_1")
        )
        self.assertEqual([("host", self.other.uuid)], self.ids("Node_"))
        self.assertEqual([], self.ids("ode_1"))

    def test_wildcards_of_sql_have_no_meaning(self):
        for text in ("node%", "node_1_", "n_de", "%", "/"):
            self.assertEqual([], self.ids(text), text)

    def test_a_provider_is_found_with_its_host_by_its_uuid_in_any_case(self):
        (only,) = self.found(self.card.uuid.upper()).found
        self.assertEqual(("provider", self.card.name), (only.kind, only.name))
        self.assertEqual(((self.host.uuid, self.host.name, {}, False),), only.hosts)

    def test_a_consumer_is_found_with_all_its_hosts(self):
        (only,) = self.found("bbbbbbbb").found
        self.assertEqual(("consumer", INSTANCE, None), only[:3])
        self.assertCountEqual(
            [
                (self.host.uuid, self.host.name, {"VCPU": 1, "PGPU": 1}, False),
                (self.other.uuid, self.other.name, {"VCPU": 1}, False),
            ],
            only.hosts,
        )
        self.assertEqual((INSTANCE, "p" * 32, "user", "INSTANCE"), only.owned)

    def test_aggregates_and_projects_are_found(self):
        self.assertEqual([("aggregate", RACK)], self.ids("aaaaaaaa-0"))
        self.assertEqual([("project", "p" * 32)], self.ids("ppp"))

    def test_traits_and_classes_are_found_by_any_part_in_any_case(self):
        self.assertEqual([("trait", "CUSTOM_GOLD")], self.ids("_gold"))
        self.assertIn(("resource_class", "VCPU"), self.ids("vcpu"))

    def test_only_ten_of_a_kind_are_listed_and_more_are_mentioned(self):
        with self.database.writer() as conn:
            for number in range(11):
                provider(conn, f"many-{number:02}")
        found = self.found("many-")
        self.assertEqual(
            [f"many-{number:02}" for number in range(10)], [each.name for each in found.found]
        )
        self.assertEqual({"host"}, found.more)

    def test_postgresql_finds_uuids_by_an_index_whatever_the_collation(self):
        if self.kind != "postgresql":
            self.skipTest("the others need no other condition")
        with self.database.reports() as conn:
            # The tables are too small for the planner to choose an index by itself.
            conn.exec_driver_sql("SET LOCAL enable_seqscan = off")
            conn.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
            statements = []
            sa.event.listen(
                conn, "before_cursor_execute", lambda *given: statements.append(given[2:4])
            )
            matching_names.names(conn, Subject.CONSUMERS, INSTANCE[:4], 11)
            matching_names.names(conn, Subject.AGGREGATES, RACK[:4], 11)
            matching_names.provider_uuids(conn, self.host.uuid[:4], True, 11)
            for text, values in statements[:]:
                plan = "\n".join(conn.exec_driver_sql(f"EXPLAIN {text}", values).scalars())
                self.assertIn("Index Cond: ((uuid", plan.replace("(uuid)::text", "uuid"), plan)

    def test_many_cards_do_not_hide_hosts(self):
        with self.database.writer() as conn:
            for number in range(11):
                host = provider(conn, f"many-{number:02}")
                provider(conn, f"many-{number:02}-card", parent=host)
        found = self.found("many-")
        self.assertEqual(20, len(found.found))
        self.assertEqual({"host", "provider"}, found.more)
        _, output, _ = self.run_command(manage, "find", "many-")
        note = "There are more of these: host, provider. Type more of the name."
        self.assertEqual(note, output.splitlines()[-1])

    def test_names_that_the_operator_has_given_are_found_and_shown(self):
        self.name(**{RACK: "Rack 12", INSTANCE: "web-1", "p" * 32: "Web", "gone": "web-2"})
        self.assertEqual(
            [("aggregate", RACK, "Rack 12")], [each[:3] for each in self.found("rack").found]
        )
        self.assertEqual(
            [("consumer", INSTANCE, "web-1"), ("project", "p" * 32, "Web")],
            [each[:3] for each in self.found("WEB").found],
        )

    def test_the_command_prints_a_table(self):
        status, output, _ = self.run_command(manage, "find", INSTANCE[:8])
        self.assertEqual(0, status)
        hosts = f"({self.host.name}, {self.other.name}|{self.other.name}, {self.host.name})"
        self.assertRegex(output, rf"consumer +{INSTANCE} +{hosts} +p{{32}} +INSTANCE")

    def test_the_command_shows_the_names_that_the_operator_has_given(self):
        path = self.name(**{RACK: "Rack 12"})
        self.useFixture(fixtures.EnvironmentVariable("OS_OPERATOR__NAMES", path))
        _, output, _ = self.run_command(manage, "find", "rack", "-f", "value")
        self.assertEqual(f"aggregate {RACK} Rack 12  None None\n", output)

    def test_the_command_says_that_nothing_has_this_name(self):
        status, output, _ = self.run_command(manage, "find", "zzz")
        self.assertEqual((1, "Nothing was found.\n"), (status, output))

    def test_the_command_prints_json_for_programs(self):
        _, output, _ = self.run_command(manage, "find", "node_1.example:", "--json")
        self.assertEqual(
            {
                "format": 1,
                "q": "node_1.example:",
                "found": [
                    {
                        "kind": "provider",
                        "id": self.card.uuid,
                        "name": self.card.name,
                        "hosts": [{"uuid": self.host.uuid, "name": self.host.name}],
                    }
                ],
                "more": [],
                "notes": [],
            },
            json.loads(output),
        )
