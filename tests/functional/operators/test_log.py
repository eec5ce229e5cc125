"""What the log says about requests that get nothing.

Source: doc/how-to/logs.rst.
"""

import logging

import fixtures as base_fixtures
import testtools
from oslo_context import context

from placement import microversion
from tests import fixtures
from tests.functional.worlds import provider, set_traits

NEWEST = microversion.VERSIONS[-1]

HOST = "10000000-0000-0000-0000-000000000001"
NAMED = f"'host' ({HOST})"
CONSUMER = "20000000-0000-0000-0000-000000000001"
OTHER = "20000000-0000-0000-0000-000000000002"


class TestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())
        self.send("POST", "/resource_providers", {"name": "host", "uuid": HOST})
        units = {"total": 16, "min_unit": 2, "max_unit": 8, "step_size": 2}
        self.send(
            "PUT",
            f"/resource_providers/{HOST}/inventories",
            {
                "resource_provider_generation": 0,
                "inventories": {"VCPU": units, "MEMORY_MB": {"total": 1024}},
            },
        )
        self.log = self.useFixture(
            base_fixtures.FakeLogger(
                "placement", level=logging.INFO, format="%(levelname)s %(message)s"
            )
        )
        self.seen = 0

    def send(self, method, path, json=None, **options):
        if json is not None:
            options |= {"json": json, "content_type": "application/json"}
        return self.service.ask(method, path, "latest", **options).status_int

    def lines(self):
        """Return what was logged since the last time, without the lines of the requests."""
        lines = self.log.output.splitlines()
        new, self.seen = lines[self.seen :], len(lines)
        return [line for line in new if " status: " not in line]


class EmptyAnswers(TestCase):
    def logged_for(self, query):
        self.assertEqual(200, self.send("GET", f"/allocation_candidates?{query}"))
        lines = self.lines()
        prefix = f'INFO No allocation candidates: - "GET /allocation_candidates?{query}" '
        for line in lines:
            self.assertTrue(line.startswith(prefix), line)
        return [line.removeprefix(prefix) for line in lines]

    def test_the_log_names_a_class_that_no_provider_has(self):
        self.assertEqual(
            [f"microversion: {NEWEST} hosts: 0: no provider has resources VCPU:10"],
            self.logged_for("resources=VCPU:10"),
        )
        query = "resources=VCPU:2&resources1=PGPU:1&required1=in:HW_CPU_X86_AVX,HW_CPU_X86_VMX"
        nowhere = "required1 in:HW_CPU_X86_AVX,HW_CPU_X86_VMX or resources1 PGPU:1"
        for limit in ("", "&limit=1", "&limit=500"):
            self.assertEqual(
                [f"microversion: {NEWEST} hosts: 0: no provider has {nowhere}"],
                self.logged_for(query + limit),
            )

    def test_the_log_names_a_constraint_that_no_host_meets(self):
        with self.service.database.writer() as conn:
            set_traits(conn, provider(conn, "other"), ["HW_CPU_X86_AVX"])
        self.assertEqual(
            [f"microversion: {NEWEST} hosts: 0: no host meets every constraint taken alone"],
            self.logged_for("resources=VCPU:2&required=HW_CPU_X86_AVX"),
        )

    def test_the_log_says_that_no_host_meets_all_constraints_together(self):
        reason = "no host meets the constraints together, in units that its inventories allow"
        apart = "resources1=VCPU:2&resources2=VCPU:2&group_policy=isolate"
        no_step = "resources=VCPU:3"
        for query in (apart, no_step):
            self.assertEqual(
                [f"microversion: {NEWEST} hosts: 1: {reason}"], self.logged_for(query)
            )

    def test_the_log_names_a_tree_that_does_not_exist(self):
        for query, parameter in (("", "in_tree"), ("resources_GPU=VCPU:2&", "in_tree_GPU")):
            query = f"resources=VCPU:2&{query}{parameter}={CONSUMER}"
            reason = f"{parameter} names a provider that does not exist: {CONSUMER}"
            self.assertEqual(
                [f"microversion: {NEWEST} hosts: 0: {reason}"], self.logged_for(query)
            )

    def test_the_log_names_what_an_empty_answer_hides(self):
        reason = (
            "no host meets the part of the query before an unknown name: "
            "No such trait(s): HW_MISSING."
        )
        self.assertEqual(
            [f"microversion: {NEWEST} hosts: 0: {reason}"],
            self.logged_for("resources=VCPU:20&resources1=VCPU:2&required1=HW_MISSING"),
        )

    def test_a_query_with_candidates_logs_no_reason(self):
        self.assertEqual([], self.logged_for("resources=VCPU:2"))

    def test_the_logged_reason_has_the_id_of_its_request(self):
        ids = []
        logger = logging.getLogger("placement.handlers.allocation_candidate")
        handler = logging.Handler()
        handler.emit = lambda _: ids.append(context.get_current().request_id)
        logger.addHandler(handler)
        self.addCleanup(logger.removeHandler, handler)
        answer = self.service.ask("GET", "/allocation_candidates?resources=VCPU:10", "latest")
        self.assertEqual([answer.headers["x-openstack-request-id"]], ids)


class Refusals(TestCase):
    def claim(self, consumer, amounts, generation=None):
        body = {
            "allocations": {HOST: {"resources": amounts}},
            "project_id": "project",
            "user_id": "user",
            "consumer_generation": generation,
            "consumer_type": "INSTANCE",
        }
        return self.send("PUT", f"/allocations/{consumer}", body)

    def assert_refused(self, line, consumer, amounts, generation=None):
        self.assertEqual(409, self.claim(consumer, amounts, generation))
        self.assertEqual([f"WARNING {line}"], self.lines())

    def test_a_refused_claim_logs_how_much_room_there_is(self):
        self.assertEqual(204, self.claim(CONSUMER, {"MEMORY_MB": 1000}))
        self.assert_refused(
            f"Claim refused: consumer {OTHER} needs 25 MEMORY_MB of provider {NAMED}, where others "
            "use 1000 of 1024.",
            OTHER,
            {"MEMORY_MB": 25},
        )

    def test_a_refused_claim_logs_what_others_use_without_the_consumers_own(self):
        self.claim(OTHER, {"MEMORY_MB": 24})
        self.claim(CONSUMER, {"MEMORY_MB": 1000})
        self.assert_refused(
            f"Claim refused: consumer {CONSUMER} needs 1001 MEMORY_MB of provider {NAMED}, where "
            "others use 24 of 1024.",
            CONSUMER,
            {"MEMORY_MB": 1001},
            generation=1,
        )

    def test_a_refused_claim_logs_the_unit_that_it_breaks(self):
        for amount in (1, 3, 10):
            self.assert_refused(
                f"Claim refused: consumer {CONSUMER} needs {amount} VCPU of provider {NAMED}, "
                "which its units do not allow: min_unit 2, max_unit 8, step_size 2.",
                CONSUMER,
                {"VCPU": amount},
            )

    def test_a_refused_claim_logs_that_there_is_no_inventory(self):
        self.assert_refused(
            f"Claim refused: consumer {CONSUMER} needs DISK_GB of provider {NAMED}, which has no "
            "inventory of it.",
            CONSUMER,
            {"DISK_GB": 1},
        )

    def test_a_conflict_logs_both_generations_of_the_consumer(self):
        for expected, given in (("null", 7), (1, None), (1, 2)):
            self.assert_refused(
                f"Conflict: generation {given} was given for consumer {CONSUMER}, which is at "
                f"{expected}.",
                CONSUMER,
                {"MEMORY_MB": 1},
                given,
            )
            self.claim(CONSUMER, {"MEMORY_MB": 1})
            self.lines()

    def test_a_conflict_logs_both_generations_of_the_provider(self):
        for path, body in (
            ("inventories", {"inventories": {}}),
            ("inventories/VCPU", {"total": 1}),
            ("traits", {"traits": []}),
            ("aggregates", {"aggregates": []}),
        ):
            body = {"resource_provider_generation": 5} | body
            self.assertEqual(409, self.send("PUT", f"/resource_providers/{HOST}/{path}", body))
            self.assertEqual(
                [
                    f"WARNING Conflict: generation 5 was given for provider {NAMED}, which is at 1."
                ],
                self.lines(),
            )


class Denials(TestCase):
    def denied(self, headers):
        status = self.send("POST", "/reshaper", {}, headers=headers)
        self.assertEqual(403, status)
        return self.lines()

    def test_a_denied_request_logs_the_rule_and_the_roles(self):
        rule = "placement:reshaper:reshape"
        for given, roles in (("reader,member", "member, reader"), ("", "none")):
            self.assertEqual(
                [f"WARNING Policy denies {rule} to a caller with the roles: {roles}"],
                self.denied({"X-Roles": given}),
            )

    def test_a_request_with_a_token_of_the_system_logs_the_scope(self):
        rule = "placement:reshaper:reshape"
        self.assertEqual(
            [
                f"WARNING Policy denies {rule} to a token of system scope; it takes tokens of "
                "project scope"
            ],
            self.denied({"X-Roles": "admin", "Openstack-System-Scope": "all"}),
        )

    def test_the_line_of_a_denied_request_has_the_same_reason(self):
        status = self.send(
            "GET", "/usages?project_id=a%0Ab", token="someone", headers={"X-Roles": "reader"}
        )
        self.assertEqual(403, status)
        reason = (
            r"Policy denies placement:usages for project 'a\nb' to a caller of project 'someone' "
            "with the roles: reader"
        )
        *_, warning, line = self.log.output.splitlines()
        self.assertEqual(f"WARNING {reason}", warning)
        self.assertTrue(line.endswith(f" reason: {reason}"), line)

    def test_the_log_of_a_denied_request_has_no_token(self):
        [line] = self.denied({"X-Auth-Token": "user:project:secret", "X-Roles": "reader"})
        self.assertNotIn("secret", line)
