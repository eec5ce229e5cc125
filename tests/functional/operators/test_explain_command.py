"""placement-manage explain: what it prints, and its exit status."""

import io
import json
import sys
from unittest import mock

from placement import exception
from placement.candidates import effort
from placement.candidates.effort import Effort
from placement.candidates.query import CandidateQuery, Group
from placement.candidates.why import explain
from placement.cmd import manage
from placement.objects import resource_provider, trait
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, mistyped, provider, set_aggregates, set_traits, take


@databases.on_each_database
class ExplainCommand(Commands):
    """If a test fails, the first question of an operator is answered wrongly, or not at all."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        with self.database.writer() as conn:
            self.full = provider(conn, "full", {"VCPU": 8, "MEMORY_MB": 1024})
            self.small = provider(conn, "small", {"VCPU": 2, "MEMORY_MB": 1024})
        take(self.database, claim({self.full: {"VCPU": 5}}))

    def explain(self, *arguments):
        return self.run_command(manage, "explain", *arguments)

    def test_explain_prints_why_nothing_was_found(self):
        status, output, _ = self.explain("resources=VCPU:4,MEMORY_MB:512")
        self.assertEqual(1, status)
        summary, *rest = output.splitlines()
        self.assertEqual(
            "0 of 2 hosts: 2 have too little VCPU free (at most 3, asked for 4).", summary
        )
        self.assertEqual(
            [
                "",
                "  Constraint               Fail  Only this  Left",
                f"  resources VCPU:4            2          2     0  {'░' * 30}",
                f"  resources MEMORY_MB:512     0          0     0  {'░' * 30}",
                "",
                "Closest hosts:",
                f"  full   {self.full.uuid}  resources VCPU:4 (3 free)",
                f"  small  {self.small.uuid}  resources VCPU:4 (2 free)",
                "",
                "Single changes that would help:",
                "  resources VCPU:4  ask for VCPU:3  1 host: full",
            ],
            rest,
        )

    def test_explain_prints_how_many_candidates_were_found(self):
        status, output, _ = self.explain("resources=VCPU:3")
        self.assertEqual(0, status)
        summary, *rest = output.splitlines()
        self.assertEqual(
            "1 of 2 hosts: 1 has too little VCPU free (at most 2, asked for 3).", summary
        )
        self.assertIn(f"  resources VCPU:3     1          1     1  {'█' * 15}{'░' * 15}", rest)

    def test_explain_names_the_provider_whose_trait_does_not_help(self):
        with self.database.writer() as conn:
            host = provider(conn, "nested", {"DISK_GB": 9})
            gpus = provider(conn, "gpus", {"PGPU": 1}, parent=host)
            set_traits(conn, gpus, ["HW_GPU_API_VULKAN"])
        cause = "gpus has the trait HW_GPU_API_VULKAN, but cannot serve 5 DISK_GB"
        query = "resources=DISK_GB:5&required=HW_GPU_API_VULKAN"
        _, output, _ = self.explain(query, "--top", "1")
        together = "1 meets each constraint, but not all of them together"
        output = " ".join(output.split())
        self.assertIn(f"{together}: {cause}.", output)
        self.assertIn(f"  nested  {host.uuid}  together ({cause})".replace("  ", " "), output)
        # The summary names a provider even if no closest host is shown.
        _, output, _ = self.explain(query, "--top", "0")
        self.assertIn(f"{together}: {cause}.", " ".join(output.split()))

    def test_explain_names_the_constraint_that_rules_out_the_host(self):
        with self.database.writer() as conn:
            host = provider(conn, "nested", {"DISK_GB": 9})
            provider(conn, "near", {"PGPU": 1}, parent=host, max_unit=1)
            provider(conn, "far", {"NET_BW_EGR_KILOBIT_PER_SEC": 8}, parent=host)
        _, output, _ = self.explain("resources_A=PGPU:2", "--top", "1")
        self.assertIn("resources_A PGPU:2 (max_unit 1, at near)", output)
        query = "resources_A=PGPU:1&resources_B=NET_BW_EGR_KILOBIT_PER_SEC:1"
        _, output, _ = self.explain(f"{query}&same_subtree=_A,_B&group_policy=none", "--top", "1")
        self.assertIn("same_subtree _A,_B (_A by near, _B by far)", output)
        _, output, _ = self.explain("resources=FPGA:1", "--top", "1")
        self.assertIn("resources FPGA:1 (no inventory)", output)

    def test_explain_shows_the_best_provider_of_a_nested_host(self):
        """If it fails, the sentence and the change that would help contradict each other."""
        with self.database.writer() as conn:
            host = provider(conn, "nested")
            provider(conn, "numa0", {"PCPU": 1}, parent=host)
            provider(conn, "numa1", {"PCPU": 9}, parent=host, reserved=2)
            provider(conn, "flat", {"PCPU": 4})
        _, output, _ = self.explain("resources=PCPU:8")
        self.assertIn("2 have too little PCPU free (at most 7, asked for 8; 2 reserved)", output)
        self.assertRegex(output, r"nested .* resources PCPU:8 \(7 free, 2 reserved, at numa1\)\n")
        self.assertRegex(output, r"resources PCPU:8  ask for PCPU:7  1 host: nested\n")
        _, output, _ = self.explain("resources=VCPU:9,PCPU:8", "--host", "nested", "--top", "0")
        self.assertIn("too little PCPU free (at most 7, asked for 8; 2 reserved)", output)

    def test_explain_names_the_other_changes_that_a_relaxation_needs(self):
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_GOLD")
        query = "resources_C=VCPU:1&required_T=CUSTOM_GOLD&group_policy=none&same_subtree=_C,_T"
        _, output, _ = self.explain(query)
        self.assertRegex(
            output,
            "required_T CUSTOM_GOLD +drop it; same_subtree _C,_T: ask for _C +2 hosts, such as",
        )

    def test_explain_names_the_reserve_that_prevents_a_claim(self):
        with self.database.writer() as conn:
            provider(conn, "kept", {"VCPU": 10}, reserved=6, allocation_ratio=2.0)
        _, output, _ = self.explain("resources=VCPU:9")
        self.assertIn("3 have too little VCPU free (at most 8, asked for 9; 6 reserved).", output)
        self.assertRegex(output, r"kept .* resources VCPU:9 \(8 free, 6 reserved\)\n")
        self.assertRegex(output, r"full .* resources VCPU:9 \(3 free\)\n")
        _, output, _ = self.explain("resources=VCPU:21")
        self.assertIn("(at most 8, asked for 21).", output)

    def test_explain_corrects_a_misspelt_name_instead_of_leaving_it_out(self):
        rack = "a7356c85-1f3f-45fc-8e1b-7bf0881081ec"
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_GOLD")
            full = resource_provider.get(conn, self.full.uuid)
            set_traits(conn, full, ["CUSTOM_GOLD"])
            set_aggregates(conn, full, {rack}, False)
        for parameter, kind, name, meant in (
            ("required", "trait", "CUSTOM_GLOD", "CUSTOM_GOLD"),
            ("root_required", "trait", "CUSTOM_GLOD", "CUSTOM_GOLD"),
            ("resources_A", "resource class", "VCPUS:1", "VCPU:1"),
            ("member_of", "aggregate", mistyped(rack), rack),
            ("in_tree", "provider", mistyped(full.uuid), full.uuid),
        ):
            _, output, _ = self.explain(f"resources=VCPU:1&{parameter}={name}")
            summary, *rest = output.splitlines()
            said = f"No {kind} is called {name.removesuffix(':1')}; did you mean "
            self.assertEqual(said, summary[: len(said)])
            [relaxation] = rest[rest.index("Single changes that would help:") + 1 :]
            self.assertRegex(relaxation, f"{parameter} {name} +ask for {meant} +[12] host")

    def test_explain_suggests_no_correction_that_does_not_help(self):
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_GOLD")
        _, output, _ = self.explain("resources=VCPU:1&required=CUSTOM_GLOD")
        self.assertIn("did you mean CUSTOM_GOLD?", output)
        self.assertIn("required CUSTOM_GLOD  drop it", output)
        # The group already asks for processors.
        _, output, _ = self.explain("resources=VCPU:1,VCPUS:1")
        self.assertNotIn("ask for VCPU:1", output)

    def test_explain_prints_json_for_programs(self):
        status, output, _ = self.explain("resources=VCPU:4", "--json", "--top", "1")
        document = json.loads(output)
        self.assertEqual(1, status)
        self.assertEqual({"all": 2, "pass": 0}, document["hosts"])
        self.assertEqual(["full"], [host["name"] for host in document["closest"]])

    def test_explain_of_one_host_includes_its_sharing_providers(self):
        with self.database.writer() as conn:
            host = provider(conn, "diskless", {"VCPU": 8, "MEMORY_MB": 1024})
            provider(conn, "its-gpu", {"PGPU": 1}, parent=host)
            storage = provider(conn, "storage", {"DISK_GB": 100})
            set_traits(conn, storage, ["MISC_SHARES_VIA_AGGREGATE"])
            for each in (host, storage):
                of_now = resource_provider.get(conn, each.uuid)
                set_aggregates(conn, of_now, {"b7356c85-1f3f-45fc-8e1b-7bf0881081ec"}, False)
        for name in ("diskless", "its-gpu", host.uuid):
            status, output, _ = self.explain("resources=VCPU:8,DISK_GB:9", "--host", name)
            self.assertEqual((0, "diskless is a candidate."), (status, output.splitlines()[0]))
        status, output, _ = self.explain("resources=VCPU:9,DISK_GB:900", "--host", "diskless")
        summary, *rest = output.splitlines()
        self.assertEqual(1, status)
        self.assertEqual(
            "diskless: has too little VCPU free (at most 8, asked for 9); has too little DISK_GB "
            "free (at most 100, asked for 900).",
            summary,
        )
        self.assertNotIn("in_tree", output)
        self.assertIn("diskless", rest[rest.index("Closest hosts:") + 1])
        status, output, errors = self.explain("resources=VCPU:1", "--host", "diskles")
        self.assertEqual((2, ""), (status, output))
        self.assertIn("No root provider with uuid or name diskles found.", errors)
        self.assertIn("Did you mean diskless?", errors)

    def test_explain_takes_its_query_from_a_line_of_the_log(self):
        uri = "/placement/allocation_candidates?resources=VCPU%3A4&limit=9"
        line = f'10.0.0.1 "GET {uri}" status: 200 len: 53 microversion: 1.39'
        _, from_log, _ = self.explain("--from-log", line)
        self.assertEqual(self.explain("resources=VCPU:4&limit=9")[1], from_log)
        status, _, errors = self.explain("--from-log", "GET /traits")
        self.assertEqual(2, status)
        self.assertIn("The line contains no GET /allocation_candidates?", errors)
        errors = self.explain("VCPU:4", "--from-log", line)[2]
        self.assertIn("A query cannot be combined with --from-log.", errors)
        self.assertIn("A query is required, or a line of the log", self.explain()[2])

    def test_explain_reads_the_log_from_standard_input(self):
        line = '"GET /allocation_candidates?resources=VCPU%3A4" status: 200 microversion: 1.39'
        lines = io.StringIO(f"GET /traits\n{line}\nGET /traits\n")
        with mock.patch.object(sys, "stdin", lines):
            from_log = self.explain("--from-log", "-")
        self.assertEqual(self.explain("VCPU:4"), from_log)
        with mock.patch.object(sys, "stdin", io.StringIO("GET /traits\n")):
            status, output, errors = self.explain("--from-log", "-")
        self.assertEqual((2, ""), (status, output))
        self.assertIn("Standard input contains no GET /allocation_candidates?", errors)

    def test_amounts_alone_are_accepted_as_a_query(self):
        for amounts, query in (
            ("VCPU:4", "resources=VCPU:4"),
            ("VCPU:4,MEMORY_MB:1&limit=1", "resources=VCPU:4,MEMORY_MB:1&limit=1"),
        ):
            document = json.loads(self.explain(amounts, "--json")[1])
            self.assertEqual(query, document["query"])
        self.assertIn("resources", self.explain("VCPU")[2])

    def test_a_parameter_that_does_not_exist_is_a_mistake(self):
        for query in ("VCPU", "VCPU=4"):
            status, _, errors = self.explain(query)
            self.assertEqual(2, status)
            self.assertEqual(
                "placement-manage: The query has no parameter 'VCPU'. Amounts are written as "
                "VCPU:4, and parameters as in 'resources=VCPU:4'.\n",
                errors,
            )

    def test_explain_refuses_a_query_that_would_cost_too_much(self):
        query = CandidateQuery((Group("", {"VCPU": 1}),))
        with self.assertRaises(exception.ExplanationTooLong), self.database.reader() as conn:
            explain.explain(conn, query, False, 10, None, Effort(0))

    def test_the_explanation_of_a_larger_cloud_may_cost_more(self):
        allowed = Effort(1000)
        query = CandidateQuery((Group("", {"VCPU": 1}),))
        with mock.patch.object(effort, "MANY_PROVIDERS", 1), self.database.reader() as conn:
            explain.explain(conn, query, False, 10, None, allowed)
        self.assertEqual(2 * 1000, allowed.most)

    def test_explain_reads_a_logged_query_in_its_microversion(self):
        with self.database.writer() as conn:
            provider(conn, "child", {"PGPU": 1}, parent=self.small)
        line = '"GET /allocation_candidates?resources=VCPU:1,PGPU:1" status: 200 microversion: 1.'
        # Before 1.29, a candidate takes from one provider of a tree.
        for minor, status in ((28, 1), (29, 0), (39, 0)):
            self.assertEqual(status, self.explain("--from-log", f"{line}{minor}")[0], minor)

    def test_explain_reports_a_mistake_in_one_line(self):
        for arguments in (["resources=VCPU"], ["resources=VCPU:1", "--top", "101"], []):
            status, output, errors = self.explain(*arguments)
            self.assertEqual((2, "", 1), (status, output, errors.count("\n")), errors)

    def test_explain_refuses_to_limit_hosts_that_are_not_among_the_rows(self):
        status, output, errors = self.explain("resources=VCPU:1", "--top", "1", "-c", "fail")
        self.assertEqual((2, ""), (status, output))
        self.assertIn("--top cannot be used with -f, -c or --sort-column.", errors)
