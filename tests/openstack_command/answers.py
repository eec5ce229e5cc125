"""What the commands show, with this service and the real `openstack` command in this process."""

import csv
import datetime
import json
import re

import fixtures as base_fixtures
import sqlalchemy as sa
import yaml
from osc_placement import version

from placement.db import tables
from placement.objects.capacity_history import sampling
from tests import fixtures
from tests.clients import openstack_shell

LARGE = "0c000004-0000-4000-8000-000000000001"
SMALL = "0c000004-0000-4000-8000-000000000002"
RACK = "0c000005-0000-4000-8000-000000000001"
INSTANCE = "0c000006-0000-4000-8000-000000000001"

TOO_MUCH = "allocation candidate explain --resource VCPU=5 --required CUSTOM_SSD"
FITS = "allocation candidate fit --resource VCPU=2"
ROOM = "allocation candidate release show --resource VCPU={}"
EVACUATION = ("consumers", "allocations")


class Answers(openstack_shell.ShellTest):
    """A cloud of two hosts: the large one, in a rack, has an instance, and the small one an SSD."""

    def setUp(self):
        super().setUp()
        large = {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 4096}}
        for uuid, name, inventories in (
            (LARGE, "large", large),
            (SMALL, "small", {"VCPU": {"total": 4}}),
        ):
            self.send("POST", "/resource_providers", uuid=uuid, name=name)
            self.put_inventories(uuid, 0, **inventories)
        self.send("PUT", "/traits/CUSTOM_SSD")
        self.send(
            *("PUT", f"/resource_providers/{SMALL}/traits"),
            **{"resource_provider_generation": 1, "traits": ["CUSTOM_SSD"]},
        )
        self.send(
            *("PUT", f"/resource_providers/{LARGE}/aggregates"),
            **{"resource_provider_generation": 1, "aggregates": [RACK]},
        )
        self.send(
            *("PUT", f"/allocations/{INSTANCE}"),
            allocations={LARGE: {"resources": {"VCPU": 2}}},
            consumer_generation=None,
            consumer_type="INSTANCE",
            project_id="project",
            user_id="user",
        )

    def send(self, method, path, **body):
        self.session_of("admin").request(
            *(path, method),
            json=body,
            headers={"OpenStack-API-Version": "placement latest"},
            endpoint_filter={"service_type": "placement"},
        )

    def put_inventories(self, uuid, generation, **inventories):
        self.send(
            *("PUT", f"/resource_providers/{uuid}/inventories"),
            **{"resource_provider_generation": generation, "inventories": inventories},
        )

    def type(self, command, microversion=None):
        return super().type(command, microversion)

    def rows(self, command, status=0, **options):
        """Return the rows that a command shows as JSON; the command must end with this status."""
        ended, output, errors = self.type(f"{command} -f json", **options)
        self.assertEqual(status, ended, errors)
        return json.loads(output)

    def column(self, name, command, **options):
        return [row[name] for row in self.rows(command, **options)]


class Explanations(Answers):
    def test_each_constraint_is_counted(self):
        self.assertEqual(
            [("required", 1, 1, 1), ("resources", 1, 1, 0)],
            [
                (row["constraint"], row["fail"], row["only"], row["left"])
                for row in self.rows(TOO_MUCH, status=1)
            ],
        )

    def test_the_summary_is_beside_the_rows(self):
        _, output, errors = self.type(TOO_MUCH)
        self.assertIn("0 of 2 hosts: 1 lacks CUSTOM_SSD", errors)
        self.assertNotIn("2 hosts", output)

    def test_with_candidates_the_status_is_0(self):
        self.assertEqual([2], self.column("left", "allocation candidate explain --resource VCPU=1"))

    def test_the_closest_hosts_are_shown_with_what_they_lack(self):
        closest = self.rows(f"{TOO_MUCH} --show closest", status=1)
        self.assertEqual(
            {("large", "required", "CUSTOM_SSD"), ("small", "resources", "VCPU:5")},
            {(row["name"], row["constraint"], row["value"]) for row in closest},
        )
        self.assertEqual(1, len(self.rows(f"{TOO_MUCH} --show closest --top 1", status=1)))

    def test_an_option_without_effect_is_refused(self):
        for command, option, view in (
            (f"{TOO_MUCH} --top 1", "--top", "closest"),
            (f"{FITS} --show times --top 1", "--top", "hosts"),
            ("resource provider capacity --top 1", "--top", "fullest"),
            ("resource provider capacity --show fullest --by project", "--by", "sums"),
        ):
            status, output, errors = self.type(command)
            self.assertEqual((1, ""), (status, output))
            self.assertIn(f"{option} can only be used with --show {view}.", errors)

    def test_single_changes_that_would_help_are_shown(self):
        changes = self.rows(f"{TOO_MUCH} --show changes", status=1)
        self.assertEqual(
            {("required", "drop it", "large"), ("resources", "ask for VCPU:4", "small")},
            {(row["constraint"], row["change"], row["example"]) for row in changes},
        )
        self.assertIn("resources=VCPU:5", [row["query"] for row in changes])

    def test_one_host_can_be_explained(self):
        self.assertEqual([1, 0], self.column("fail", f"{TOO_MUCH} --host large", status=1))

    def test_a_query_from_a_log_is_explained(self):
        command = "allocation candidate explain --query 'resources=VCPU:5&limit=1000'"
        self.assertEqual([1], self.column("left", command))

    def test_a_name_that_does_not_exist_is_corrected(self):
        _, _, errors = self.type("allocation candidate explain --resource VCPUS=1")
        self.assertIn("did you mean VCPU", errors)


class Fits(Answers):
    def test_each_host_is_counted(self):
        self.assertEqual(
            [("large", 3, "not enough VCPU"), ("small", 2, "not enough VCPU")],
            [
                (row["name"], row["fit"], row["stopped_by"])
                for row in self.rows(f"{FITS} --sort-column name")
            ],
        )
        self.assertIn("It fits 5 times, on 2 hosts.", self.type(FITS)[2])

    def test_hosts_are_counted_by_how_often_it_fits_and_by_what_stops_it(self):
        self.assertEqual(
            [{"fit": 2, "hosts": 1}, {"fit": 3, "hosts": 1}],
            self.rows(f"{FITS} --show times --sort-column fit"),
        )
        self.assertEqual(
            [{"stopped_by": "not enough VCPU", "hosts": 2}], self.rows(f"{FITS} --show reasons")
        )
        self.assertEqual(
            [{"resource_class": "VCPU", "free": 1}],
            self.rows("allocation candidate fit --resource VCPU=3 --show stranded"),
        )

    def test_a_fit_is_counted_with_other_hosts_and_ratios(self):
        self.assertEqual([2], self.column("fit", f"{FITS} --exclude large"))
        self.assertEqual([7], self.column("fit", f"{FITS} --exclude small --ratio VCPU=2.0"))
        self.assertEqual(3, len(self.rows(f"{FITS} --add small=1")))

    def test_counting_stops_at_the_bound(self):
        [row] = self.rows(f"{FITS} --bound 1")
        self.assertEqual((1, "the bound"), (row["fit"], row["stopped_by"]))

    def test_the_limit_of_a_query_from_a_log_is_left_out(self):
        self.assertEqual(
            2, len(self.rows("allocation candidate fit --query 'resources=VCPU:2&limit=1000'"))
        )

    def test_what_does_not_fit_ends_with_status_1(self):
        nowhere = "allocation candidate fit --resource VCPU=9"
        self.assertEqual([], self.rows(nowhere, status=1))
        self.assertIn("It does not fit anywhere.", self.type(nowhere)[2])

    def test_an_aggregate_that_does_not_exist_is_corrected(self):
        almost = RACK.replace("0c000005", "0c000006")
        status, _, errors = self.type(f"{FITS} --member-of {almost}")
        self.assertEqual(1, status)
        self.assertIn(f"No aggregate is called {almost}; did you mean {RACK}?", errors)


class Capacity(Answers):
    def test_classes_are_summed(self):
        rows = self.rows("resource provider capacity")
        self.assertEqual(
            {"VCPU": (2, 17, 12), "MEMORY_MB": (0, 0, 4096)},
            {row["resource_class"]: (row["used"], row["percent"], row["capacity"]) for row in rows},
        )

    def test_sums_are_by_aggregate_or_trait(self):
        racks = self.column("aggregate", "resource provider capacity --by aggregate")
        self.assertEqual({RACK}, set(racks))
        self.assertEqual(
            [("CUSTOM_SSD", "VCPU", 4)],
            [
                (row["trait"], row["resource_class"], row["capacity"])
                for row in self.rows("resource provider capacity --by trait")
            ],
        )

    def test_what_projects_and_types_use_is_summed(self):
        for by, group in (("project", "project"), ("consumer_type", "INSTANCE")):
            [row] = self.rows(f"resource provider capacity --by {by}")
            self.assertEqual(
                (group, "VCPU", 2, 17, 12, 1),
                tuple(
                    row[name]
                    for name in (by, "resource_class", "used", "percent", "capacity", "consumers")
                ),
            )

    def test_the_fullest_are_shown(self):
        command = "resource provider capacity --show fullest --top 1"
        self.assertEqual(["large"], self.column("name", command))

    def test_no_capacity_has_no_percentage(self):
        self.put_inventories(SMALL, 2, DISK_GB={"total": 4, "reserved": 4})
        rows = self.rows("resource provider capacity")
        percentages = {row["resource_class"]: row["percent"] for row in rows}
        self.assertEqual({"VCPU": 25, "MEMORY_MB": 0, "DISK_GB": None}, percentages)


class WholeProviders(Answers):
    LIST = "resource provider whole list"

    def test_providers_are_shown_with_their_inventories(self):
        [large, small] = self.rows(f"{self.LIST} --sort-column name --long")
        vcpu = large["inventories"]["VCPU"]
        self.assertEqual((8, 2), (vcpu["total"], vcpu["used"]))
        self.assertEqual(([RACK], ["CUSTOM_SSD"]), (large["aggregates"], small["traits"]))

    def test_people_see_a_line_for_each_inventory(self):
        output = self.type(f"{self.LIST} --name large -c inventories -f value")[1]
        self.assertIn("'VCPU': {", output)
        output = self.type(f"{self.LIST} --name large -c inventories")[1]
        self.assertRegex(output, r"\| VCPU=2/8 +\|\n\| MEMORY_MB=0/4096 +\|\n")

    def test_inventories_are_shown_as_rows(self):
        rows = self.rows(f"{self.LIST} --show inventories --name large")
        self.assertEqual(
            {("VCPU", 2, 8, 8), ("MEMORY_MB", 0, 4096, 4096)},
            {(row["resource_class"], row["used"], row["capacity"], row["total"]) for row in rows},
        )

    def test_allocations_are_shown_as_rows(self):
        [row] = self.rows(f"{self.LIST} --show allocations")
        self.assertEqual(
            ("large", INSTANCE, "VCPU", 2, 1, "INSTANCE", "project", "user"),
            tuple(
                row[name]
                for name in (
                    *("name", "consumer_uuid", "resource_class", "used", "consumer_generation"),
                    *("consumer_type", "project_id", "user_id"),
                )
            ),
        )

    def test_providers_are_chosen_as_in_other_lists(self):
        for options, expected in (
            ("--name small", ["small"]),
            (f"--uuid {LARGE}", ["large"]),
            (f"--in-tree {LARGE}", ["large"]),
            ("--resource VCPU=5", ["large"]),
            ("--required CUSTOM_SSD", ["small"]),
            ("--required CUSTOM_SSD,HW_CPU_X86_AVX", ["small"]),
            ("--forbidden CUSTOM_SSD", ["large"]),
            (f"--member-of {RACK}", ["large"]),
            (f"--not-member-of {RACK}", ["small"]),
        ):
            self.assertEqual(expected, self.column("name", f"{self.LIST} {options}"), options)


class Changes(Answers):
    LIST = "placement change list"

    def test_changes_are_listed_as_sentences_the_newest_first(self):
        rows = self.rows(f"{self.LIST} --provider large")
        self.assertEqual(
            ["allocations", "aggregates", "inventories", "provider"],
            [row["kind"] for row in rows],
        )
        self.assertEqual("admin", rows[0]["actor"])
        self.assertIn("on large: VCPU 2", rows[0]["change"])

    def test_changes_are_filtered_by_options(self):
        for options, expected in (
            (f"--consumer {INSTANCE}", ["allocations"]),
            ("--project project", ["allocations"]),
            ("--kind trait", ["trait"]),
            (f"--tree {SMALL}", ["traits", "inventories", "provider"]),
            ("--actor admin --limit 1", ["allocations"]),
            ("--since 2000-01-01 --kind aggregates", ["aggregates"]),
        ):
            self.assertEqual(expected, self.column("kind", f"{self.LIST} {options}"), options)

    def test_states_and_requests_are_shown(self):
        [row] = self.rows(f"{self.LIST} --show states --consumer {INSTANCE}")
        self.assertEqual((None, "user"), (row["before"], row["after"]["user_id"]))
        [row] = self.rows(f"{self.LIST} --long --consumer {INSTANCE}")
        self.assertEqual("PUT /allocations/{consumer_uuid}", row["operation"])

    def test_no_changes_end_with_status_1(self):
        self.assertEqual([], self.rows(f"{self.LIST} --until 2000-01-01 --since 9w", status=1))
        status, _, errors = self.type(f"{self.LIST} --provider middle")
        self.assertEqual(1, status)
        self.assertIn("No provider with uuid or name middle found", errors)

    def test_a_limit_that_hides_older_changes_is_mentioned(self):
        self.assertIn("raise --limit", self.type(f"{self.LIST} --limit 1")[2])
        self.assertNotIn("raise --limit", self.type(self.LIST)[2])


class Plans(Answers):
    def test_each_consumer_of_an_emptied_host_has_a_place(self):
        command = "resource provider evacuation show large"
        [row] = self.rows(command)
        self.assertEqual((INSTANCE, "small", None), (row["uuid"], row["to"], row["why"]))
        [row] = self.rows(f"{command} --show allocations")
        shown = row["provider"], row["resource_class"], row["amount"]
        self.assertEqual((SMALL, "VCPU", 2), shown)
        self.assertIn("1 consumer can move elsewhere.", self.type(command)[2])

    def test_a_host_that_cannot_be_emptied_ends_with_status_1(self):
        for options in ("large --same-aggregate", f"--aggregate {RACK} --same-aggregate"):
            [row] = self.rows(f"resource provider evacuation show {options}", status=1)
            self.assertEqual(None, row["to"])
            self.assertIn("0 of 1 other host", row["why"])

    def test_hosts_that_cannot_be_spared_are_shown(self):
        self.assertEqual([], self.rows("placement survival show"))
        self.put_inventories(SMALL, 2, VCPU={"total": 1})
        for by, name in (("host", "large"), ("aggregate", None)):
            [row] = self.rows(f"placement survival show --by {by}", status=1)
            self.assertEqual((name, 1, 1), (row["name"], row["consumers"], row["left"]))

    def test_consumers_that_would_have_to_go_are_shown(self):
        [row] = self.rows(ROOM.format(7), status=1)
        self.assertEqual(
            ("large", INSTANCE, "project"), (row["host"], row["consumer"], row["project_id"])
        )
        [row] = self.rows(f"{ROOM.format(7)} --show hosts", status=1)
        self.assertEqual(("large", 1), (row["name"], row["consumers"]))
        self.assertEqual([], self.rows(f"{ROOM.format(9)} --of project", status=1))
        self.assertIn("The request already fits on 2 hosts.", self.type(ROOM.format(2))[2])


class Mixes(Answers):
    def mix(self, text):
        path = self.useFixture(base_fixtures.TempDir()).join("mix")
        with open(path, "w") as file:
            file.write(text)
        return f"allocation candidate fit mix {path}"

    def test_requests_of_a_file_are_counted_together(self):
        rows = self.rows(self.mix("# flavors\nweb 2 VCPU:2\nbig 1 resources=VCPU:6\n"))
        self.assertEqual([("web", 2), ("big", 1)], [(row["name"], row["fit"]) for row in rows])

    def test_what_does_not_fit_ends_with_status_1(self):
        command = self.mix("web 2 VCPU:2\n\nbig 2 VCPU:6\n")
        rows = self.rows(command, status=1)
        self.assertEqual([2, 1], [row["fit"] for row in rows])
        self.assertIn("not enough VCPU", rows[1]["stopped_by"])
        self.assertIn("3 of 4 fit.", self.type(command)[2])

    def test_json_is_sent_as_it_is_with_more_hosts_to_exclude(self):
        request = {"name": "web", "query": "resources=VCPU:2", "count": 9}
        command = self.mix(json.dumps({"requests": [request], "exclude": ["small"]}))
        self.assertEqual([3], self.column("fit", command, status=1))
        self.assertEqual([0], self.column("fit", f"{command} --exclude large", status=1))

    def test_a_mistake_in_the_file_is_reported_with_its_line(self):
        for text, expected in (
            ("web 2 VCPU:2\nbig VCPU:6", "line 2: expected a name, a number, and a query"),
            ("{", "is not JSON"),
            ("web 2 VCPUS:2", "VCPUS"),
        ):
            status, _, errors = self.type(self.mix(text))
            self.assertEqual(1, status)
            self.assertIn(expected, errors)
        errors = self.type("allocation candidate fit mix /nonexistent")[2]
        self.assertIn("/nonexistent cannot be read", errors)


class Finds(Answers):
    def test_what_begins_with_a_text_is_found(self):
        [row] = self.rows("placement find larg")
        self.assertEqual(("host", LARGE, "large"), (row["kind"], row["id"], row["name"]))
        [row] = self.rows(f"placement find {INSTANCE[:12]}")
        self.assertEqual(
            ("consumer", "large", "project", "INSTANCE"),
            (row["kind"], row["hosts"], row["project_id"], row["consumer_type"]),
        )

    def test_nothing_found_ends_with_status_1(self):
        self.assertEqual([], self.rows("placement find middle", status=1))
        self.assertIn("Nothing was found.", self.type("placement find middle")[2])


class DisabledHosts(Answers):
    """If a test fails, an operator wonders why nova places nothing on a host that has room."""

    MARKED = "large (disabled)"

    def setUp(self):
        super().setUp()
        self.put_inventories(SMALL, 2, VCPU={"total": 1})
        self.send(
            *("PUT", f"/resource_providers/{LARGE}/traits"),
            **{"resource_provider_generation": 3, "traits": ["COMPUTE_STATUS_DISABLED"]},
        )

    def test_people_see_a_mark_and_programs_the_name(self):
        changes = "allocation candidate explain --resource VCPU=4 --required CUSTOM_SSD"
        for command, column in (
            ("allocation candidate fit --resource VCPU=1", "name"),
            (f"{TOO_MUCH} --show closest", "name"),
            (f"{changes} --show changes", "example"),
            (ROOM.format(7), "host"),
            (f"{ROOM.format(7)} --show hosts", "name"),
            ("placement survival show", "name"),
            ("placement find l", "name"),
            (f"placement find {INSTANCE}", "hosts"),
        ):
            with self.subTest(command):
                output = self.type(f"{command} -c {column} --sort-column {column}")[1]
                self.assertIn(f"| {self.MARKED} ", output)
                self.assertNotIn("small (disabled)", output)
                for form in ("json", "csv", "value"):
                    output = self.type(f"{command} -c {column} -f {form}")[1]
                    self.assertIn("large", output)
                    self.assertNotIn("(disabled)", output)

    def test_hosts_are_sorted_with_what_else_is_found(self):
        self.send("POST", "/resource_providers", name="large-gpus", parent_provider_uuid=LARGE)
        for direction, expected in (
            ("ascending", ["large", "large-gpus"]),
            ("descending", ["large-gpus", "large"]),
        ):
            command = f"placement find large --sort-column name --sort-{direction}"
            self.assertEqual(expected, self.column("name", command))


class Terminals(Answers):
    """If a test fails, anyone who may name a host can write on other people's screens."""

    ESCAPE = "\033]0;title\a"

    def setUp(self):
        super().setUp()
        self.send("PUT", f"/resource_providers/{LARGE}", name=f"{self.ESCAPE}large")

    def test_tables_and_sentences_show_escapes(self):
        for command in (
            *("resource provider whole list", f"{TOO_MUCH} --show closest", "placement find small"),
            *("placement change list --long", "resource provider evacuation show " + SMALL),
            *("placement survival show", ROOM.format(7), FITS, f"placement find {INSTANCE}"),
        ):
            _, output, errors = self.type(command)
            self.assertNotIn("\033", output + errors, command)
        self.assertIn("\\x1b]0;title\\x07large", self.type("resource provider whole list")[1])

    def test_programs_get_the_name_as_it_is(self):
        for form in ("value", "csv"):
            output = self.type(f"resource provider whole list -c name -f {form}")[1]
            self.assertIn(f"{self.ESCAPE}large", output)
        names = self.column("name", "resource provider whole list")
        self.assertIn(f"{self.ESCAPE}large", names)

    def test_a_refusal_shows_escapes(self):
        name = f"{self.ESCAPE}middle"
        for command in (f"{FITS} --exclude '{name}'", f"placement change list --tree '{name}'"):
            _, _, errors = self.type(command)
            self.assertNotIn("\033", errors, command)


class CapacityHistory(Answers):
    HISTORY = "resource provider capacity history"

    def setUp(self):
        service = self.useFixture(fixtures.Application())
        self.application, self.database = service.application, service.database
        super().setUp()

    def test_samples_are_shown_as_lines_and_as_rows(self):
        sampling.sample_if_due(self.database, 400, datetime.datetime.now(datetime.UTC))
        rows = self.rows(f"{self.HISTORY} --since 2d")
        shown = {row["resource_class"]: (row["least"], row["most"], row["now"]) for row in rows}
        self.assertEqual({"VCPU": (17, 17, 17), "MEMORY_MB": (0, 0, 0)}, shown)
        self.assertEqual({40}, {len(row["used"]) for row in rows})
        self.assertIn("forecast", rows[0])
        [vcpu] = [
            row
            for row in self.rows(f"{self.HISTORY} --show samples --step 1d")
            if row["resource_class"] == "VCPU"
        ]
        self.assertEqual((2, 12, 2), (vcpu["used"], vcpu["capacity"], vcpu["hosts"]))

    def test_no_samples_are_reported(self):
        self.assertEqual([], self.rows(self.HISTORY))
        self.assertIn("No samples", self.type(self.HISTORY)[2])


class Audits(Answers):
    def setUp(self):
        service = self.useFixture(fixtures.Application())
        self.application, self.database = service.application, service.database
        super().setUp()

    def test_a_fault_ends_with_status_1(self):
        with self.database.writer() as conn:
            conn.execute(sa.update(tables.inventories).values(used=3))
        found = {row["check"]: row["found"] for row in self.rows("placement audit", status=1)}
        self.assertEqual(3, found["used_is_sum"])
        self.assertEqual(3, len(self.rows("placement audit --show examples", status=1)))
        errors = self.type("placement audit")[2]
        self.assertIn("used_is_sum: Inventories whose used amount is not", errors)
        self.assertIn("The ledger is not right.", errors)

    def test_a_sound_ledger_ends_with_status_0(self):
        self.assertEqual({0}, set(self.column("found", "placement audit")))
        self.assertEqual([], self.rows("placement audit --show examples"))
        self.assertIn("The ledger is right.", self.type("placement audit")[2])

    def test_a_fact_is_not_a_fault(self):
        self.put_inventories(LARGE, 3, VCPU={"total": 1})
        [found] = [row for row in self.rows("placement audit") if row["found"]]
        self.assertEqual(("capacity_exceeded", "fact"), (found["check"], found["kind"]))
        _, output, errors = self.type("placement audit --show examples -f value -c example")
        self.assertIn("large", output)
        self.assertIn("The ledger is right: the findings are facts, not faults.", errors)


class Forms(Answers):
    """The formats, options and refusals that every command gets from cliff and osc-placement."""

    COMMANDS = (
        "allocation candidate explain --resource VCPU=1",
        "allocation candidate explain --resource VCPU=1 --show closest",
        "allocation candidate explain --resource VCPU=1 --show changes",
        *(f"{FITS} --show {view}" for view in ("hosts", "times", "reasons", "stranded")),
        *(f"resource provider capacity --show {view}" for view in ("sums", "fullest")),
        *(
            f"resource provider whole list --show {view}"
            for view in ("providers", "inventories", "allocations")
        ),
        *(f"placement audit --show {view}" for view in ("checks", "examples")),
        *(f"placement change list --long --show {view}" for view in ("changes", "states")),
        *(f"resource provider evacuation show {SMALL} --show {view}" for view in EVACUATION),
        *(f"{ROOM.format(2)} --show {view}" for view in ("consumers", "hosts")),
        *(f"resource provider capacity history --show {view}" for view in ("classes", "samples")),
        "placement survival show",
        "placement find small",
    )

    def test_all_formats_show_the_same_rows(self):
        for command in self.COMMANDS:
            rows = self.rows(command)
            output = {
                form: self.type(f"{command} -f {form}")[1]
                for form in ("table", "csv", "yaml", "value")
            }
            self.assertEqual(rows, yaml.safe_load(output["yaml"]), command)
            found = list(csv.DictReader(output["csv"].splitlines()))
            self.assertEqual(len(rows), len(found), command)
            if rows:
                self.assertEqual(list(rows[0]), list(found[0]), command)
                self.assertEqual(len(rows), len(output["value"].splitlines()), command)
                for name in rows[0]:
                    self.assertIn(f" {name} ", output["table"], command)

    def test_columns_are_chosen_and_sorted(self):
        output = self.type(f"{FITS} -f value -c name -c fit --sort-column fit")[1]
        self.assertEqual("small 2\nlarge 3\n", output)
        output = self.type(
            f"{FITS} -f value -c name -c fit --sort-column fit --sort-descending"
        )[1]
        self.assertEqual("large 3\nsmall 2\n", output)

    def test_every_command_has_help_with_an_example_that_it_understands(self):
        for command in (
            *("allocation candidate explain", "allocation candidate fit"),
            *("resource provider capacity", "resource provider whole list", "placement audit"),
            *("resource provider capacity history", "resource provider evacuation show"),
            *("allocation candidate release show", "allocation candidate fit mix"),
            *("placement change list", "placement find", "placement survival show"),
        ):
            status, text, _ = self.type(f"{command} --help")
            self.assertEqual(0, status)
            examples = re.findall(r"\$ openstack ((?:.*\\\n)*.*)", text)
            self.assertIn(command, examples[0])
            for example in examples:
                _, _, errors = self.type(example.replace("\\\n", ""))
                self.assertNotIn("usage:", errors)

    def test_a_query_is_read_by_the_newest_microversion_unless_one_is_chosen(self):
        command = f"{FITS} --required CUSTOM_SSD,HW_GPU_API_DXVA"
        self.assertEqual(["small"], self.column("name", command))
        status, _, errors = self.type(command, microversion="1.29")
        self.assertEqual(1, status)
        self.assertIn("only supported since microversion 1.39", errors)

    def test_all_microversions_that_the_client_knows_are_accepted(self):
        for microversion in version.SUPPORTED_VERSIONS:
            for command in ("placement audit", "resource provider capacity"):
                self.rows(command, microversion=microversion)


class Refusals(Answers):
    def refusal(self, command, **options):
        """Return the last line of a command that is refused.

        The service, which runs in this process, may log other lines before it.
        """
        status, output, errors = self.type(command, **options)
        self.assertEqual((1, ""), (status, output))
        return errors.splitlines()[-1]

    def test_a_mistake_is_reported_in_the_words_of_the_service(self):
        for command, expected in (
            (
                "resource provider capacity --by colour",
                "Invalid query string parameters: 'colour' is not one of "
                "['class', 'aggregate', 'trait', 'project', 'consumer_type'] (HTTP 400)",
            ),
            (f"{FITS} --required CUSTOM_SDS", "No such trait(s): CUSTOM_SDS"),
            (f"{FITS} --exclude middle", "No root provider with uuid or name middle found"),
            (f"{FITS} --ratio VCPU=much", "Query parameter 'ratio' expected a class and a number"),
            ("allocation candidate explain --group 1", "At least one --resource"),
        ):
            self.assertIn(expected, self.refusal(command))

    def test_before_1_10_there_are_no_candidates(self):
        refusal = self.refusal(FITS, microversion="1.9")
        self.assertIn(
            "Before microversion 1.10 there are no allocation candidates: ask for 1.10 or a later "
            "version, not for 1.9.",
            refusal,
        )

    def test_a_caller_without_the_right_learns_which_rule_refused(self):
        self.useFixture(base_fixtures.EnvironmentVariable("OS_TOKEN", "user:project"))
        self.assertEqual(
            "Policy does not allow placement:operator:read to be performed. (HTTP 403)",
            self.refusal("placement audit"),
        )
