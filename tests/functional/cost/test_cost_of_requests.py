"""How many statements the requests of each route cost, counted over HTTP."""

import uuid

import fixtures as base_fixtures

from tests import databases, fixtures

HOST = "10000000-0000-0000-0000-000000000001"
CHILD = "10000000-0000-0000-0000-000000000002"
CONSUMER = "20000000-0000-0000-0000-000000000001"
MIGRATION = "20000000-0000-0000-0000-000000000002"
AGGREGATE = "30000000-0000-0000-0000-000000000001"

THREE_CLASSES = {name: {"total": 100} for name in ("VCPU", "MEMORY_MB", "DISK_GB")}
FLAVOR = {"resources": {"VCPU": 1, "MEMORY_MB": 1, "DISK_GB": 1}}


def claim(allocations, generation=None):
    return {
        "allocations": allocations,
        "project_id": "project",
        "user_id": "user",
        "consumer_generation": generation,
        "consumer_type": "INSTANCE",
    }


class CountedRequests:
    """Counts the statements of requests. A subclass sets the option `history_days`."""

    def setUp(self):
        super().setUp()
        # If answers began at random roots, their cost would depend on the root.
        self.service = self.useFixture(
            fixtures.Application(
                self.kind,
                placement__rotate_allocation_candidates=False,
                operator__history_days=self.history_days,
            )
        )
        self.log = self.useFixture(base_fixtures.FakeLogger("placement.requestlog"))

    def cost(self, method, path, json=None, status=None, version="latest", **headers):
        """Return the number of statements that a request costs, which the log must show, too."""
        options = {"json": json, "content_type": "application/json"} if json is not None else {}
        statements = databases.Statements(self.service.database)
        with statements:
            answer = self.service.ask(method, path, version, headers=headers, **options)
            seen = len(statements.seen)
        self.assertEqual([1] * len(statements.single), [len(each) for each in statements.single])
        expected = (200, 201, 204) if status is None else (status,)
        self.assertIn(answer.status_int, expected, answer.text)
        self.assertRegex(self.log.output, rf" statements: {seen}( reason: .*)?\n\Z")
        return seen

    def make_a_host_with_a_claim(self):
        self.cost("POST", "/resource_providers", {"name": "host", "uuid": HOST})
        body = {"resource_provider_generation": 0, "inventories": THREE_CLASSES}
        self.cost("PUT", f"/resource_providers/{HOST}/inventories", body)
        self.cost("PUT", f"/allocations/{CONSUMER}", claim({HOST: FLAVOR}))


@databases.on_each_database
class CostOfRequests(CountedRequests):
    """If a test fails, a route has a new statement, or one for each row."""

    # The cost of recording changes is tested in test_cost_of_changes.py.
    history_days = 0

    def test_requests_about_a_host_take_no_more_statements_than_before(self):
        provider, inventories = (
            f"/resource_providers/{HOST}",
            f"/resource_providers/{HOST}/inventories",
        )
        # With these statements, writers to one tree notice each other even on different nodes of a
        # Galera cluster.
        contending = 2 if self.kind == "mysql" else 0
        body = {"name": "host", "uuid": HOST}
        self.assertEqual(3, self.cost("POST", "/resource_providers", body))
        body = {"name": "child", "uuid": CHILD, "parent_provider_uuid": HOST}
        self.assertEqual(4 + contending, self.cost("POST", "/resource_providers", body))
        body = {"resource_provider_generation": 0, "inventories": THREE_CLASSES}
        self.assertEqual(3, self.cost("PUT", inventories, body))
        body = {"resource_provider_generation": 1, "inventories": THREE_CLASSES}
        self.assertEqual(3, self.cost("PUT", inventories, body))
        body = {"resource_class": "PGPU", "total": 1}
        self.assertEqual(4, self.cost("POST", inventories, body))
        body = {"resource_provider_generation": 3, "total": 2}
        self.assertEqual(5, self.cost("PUT", f"{inventories}/PGPU", body))
        self.assertEqual(4, self.cost("DELETE", f"{inventories}/PGPU"))
        body = {"resource_provider_generation": 5, "traits": ["HW_CPU_X86_AVX", "HW_CPU_X86_VMX"]}
        self.assertEqual(3, self.cost("PUT", f"{provider}/traits", body))
        body = body | {"resource_provider_generation": 6}
        self.assertEqual(1, self.cost("PUT", f"{provider}/traits", body))
        body = {"resource_provider_generation": 6, "aggregates": [AGGREGATE]}
        self.assertEqual(5, self.cost("PUT", f"{provider}/aggregates", body))
        body = {"resource_provider_generation": 7, "aggregates": [AGGREGATE]}
        self.assertEqual(4, self.cost("PUT", f"{provider}/aggregates", body))
        body = {"name": "renamed"}
        self.assertEqual(3, self.cost("PUT", provider, body))
        body = {"name": "child", "parent_provider_uuid": None}
        self.assertEqual(
            8 + contending, self.cost("PUT", f"/resource_providers/{CHILD}", body)
        )
        self.assertEqual(3, self.cost("DELETE", f"{provider}/traits"))
        self.assertEqual(4, self.cost("DELETE", inventories))
        self.assertEqual(4, self.cost("DELETE", provider))

    def test_requests_about_classes_and_traits_take_no_more_statements_than_before(self):
        path = "/traits/CUSTOM_LIQUID_COOLED"
        self.assertEqual([3, 1], [self.cost("PUT", path), self.cost("PUT", path)])
        self.assertEqual(3, self.cost("DELETE", path))
        body, path = {"name": "CUSTOM_FPGA"}, "/resource_classes/CUSTOM_FPGA"
        self.assertEqual(3, self.cost("POST", "/resource_classes", body))
        self.assertEqual(1, self.cost("POST", "/resource_classes", body, status=409))
        self.assertEqual(3, self.cost("PUT", path, {"name": "CUSTOM_GPU"}, version="1.6"))
        self.assertEqual([3, 1], [self.cost("PUT", path), self.cost("PUT", path)])
        self.assertEqual(4, self.cost("DELETE", path))

    def test_requests_of_older_clients_take_no_more_statements_than_before(self):
        self.cost("POST", "/resource_providers", {"name": "host", "uuid": HOST})
        body = {"resource_provider_generation": 0, "inventories": THREE_CLASSES}
        self.cost("PUT", f"/resource_providers/{HOST}/inventories", body)
        path = f"/resource_providers/{HOST}/aggregates"
        self.assertEqual(5, self.cost("PUT", path, [AGGREGATE], version="1.18"))
        self.assertEqual(4, self.cost("PUT", path, [AGGREGATE], version="1.18"))
        self.assertEqual(1, self.cost("GET", path, version="1.18"))
        listed = {"allocations": [{"resource_provider": {"uuid": HOST}, **FLAVOR}]}
        owner = {"project_id": "project", "user_id": "user"}
        for consumer, body, version in (
            (CONSUMER, listed, "1.7"),
            (MIGRATION, listed | owner, "1.11"),
        ):
            path = f"/allocations/{consumer}"
            # The first claim adds its project and its user.
            self.assertEqual(8, self.cost("PUT", path, body, version=version))
            self.assertEqual(7, self.cost("PUT", path, body, version=version))
            self.assertEqual(1, self.cost("GET", path, version=version))

    def test_reads_take_no_more_statements_than_before(self):
        self.make_a_host_with_a_claim()
        provider = f"/resource_providers/{HOST}"
        for path, statements in (
            ("/", 0),
            ("/resource_providers", 1),
            (f"/resource_providers?in_tree={HOST}", 1),
            (f"/resource_providers?in_tree={HOST}&required=HW_CPU_X86_VMX", 2),
            (
                f"/resource_providers?resources=VCPU:1&member_of=!{AGGREGATE}&required=!HW_NIC_SRIOV",
                2,
            ),
            (provider, 1),
            (f"{provider}/inventories", 1),
            (f"{provider}/inventories/VCPU", 1),
            (f"{provider}/usages", 1),
            (f"{provider}/aggregates", 1),
            (f"{provider}/traits", 1),
            (f"{provider}/allocations", 1),
            ("/traits", 1),
            ("/traits?name=startswith:HW_&associated=true", 1),
            ("/traits/HW_CPU_X86_VMX", 1),
            ("/resource_classes", 1),
            ("/resource_classes/VCPU", 1),
            (f"/allocations/{CONSUMER}", 1),
            ("/usages?project_id=project", 1),
            ("/allocation_candidates?resources=VCPU:1", 1),
            ("/allocation_candidates?resources=VCPU:1&limit=1", 1),
        ):
            self.assertEqual(statements, self.cost("GET", path), path)

    def test_claims_moves_and_releases_take_no_more_statements_than_before(self):
        self.make_a_host_with_a_claim()
        resized = claim({HOST: FLAVOR}, 1)
        self.assertEqual(6, self.cost("PUT", f"/allocations/{CONSUMER}", resized))
        move = {CONSUMER: claim({}, 2), MIGRATION: claim({HOST: FLAVOR})}
        self.assertEqual(7, self.cost("POST", "/allocations", move))
        # If DELETE cannot return rows, the consumer is read first.
        release = 4 if self.service.database.engine.dialect.delete_returning else 5
        self.assertEqual(release, self.cost("DELETE", f"/allocations/{MIGRATION}"))
        self.assertEqual(4, self.cost("PUT", f"/allocations/{CONSUMER}", claim({HOST: FLAVOR})))
        self.cost("POST", "/resource_providers", {"name": "child", "uuid": CHILD})
        body = {"resource_provider_generation": 0, "inventories": THREE_CLASSES}
        self.cost("PUT", f"/resource_providers/{CHILD}/inventories", body)
        # The other names are remembered, but the name of the host is looked up.
        elsewhere = claim({CHILD: FLAVOR})
        self.assertEqual(5, self.cost("PUT", f"/allocations/{uuid.uuid4()}", elsewhere))
        self.assertEqual(4, self.cost("PUT", f"/allocations/{uuid.uuid4()}", elsewhere))
        too_much = claim({HOST: {"resources": {"VCPU": 1000}}})
        # On MySQL, one statement checks whether the session has lost its settings.
        asked = 7 if self.kind == "mysql" else 6
        self.assertEqual(asked, self.cost("PUT", f"/allocations/{MIGRATION}", too_much, status=409))

    def test_requests_about_more_rows_take_no_more_statements(self):
        self.make_a_host_with_a_claim()
        few = self.costs_of_lists()
        for number in range(12):
            self.cost("POST", "/resource_providers", {"name": f"host{number}"})
            consumer = f"40000000-0000-0000-0000-0000000000{number:02}"
            self.cost("PUT", f"/allocations/{consumer}", claim({HOST: FLAVOR}))
            self.cost("PUT", f"/traits/CUSTOM_{number}")
            self.cost("PUT", f"/resource_classes/CUSTOM_{number}")
        self.assertEqual(few, self.costs_of_lists())

    def test_a_query_with_hundreds_of_conditions_is_planned_quickly(self):
        # PostgreSQL once planned a query like this for minutes.
        self.cost("POST", "/resource_providers", {"name": "host", "uuid": HOST})
        body = {"resource_provider_generation": 0, "inventories": THREE_CLASSES}
        self.cost("PUT", f"/resource_providers/{HOST}/inventories", body)
        aggregates = [f"30000000-0000-0000-0000-000000000{number}" for number in range(100, 350)]
        body = {"resource_provider_generation": 1, "aggregates": aggregates}
        self.cost("PUT", f"/resource_providers/{HOST}/aggregates", body)
        for suffix, path in (
            ("", "/resource_providers?"),
            ("", "/allocation_candidates?resources=VCPU:1&"),
            ("1", "/allocation_candidates?resources1=VCPU:1&"),
        ):
            terms = "&".join(f"member_of{suffix}={aggregate}" for aggregate in aggregates)
            answer = self.service.ask("GET", path + terms, "latest")
            self.assertIn(HOST, answer.text)

    def costs_of_lists(self):
        return [
            self.cost("GET", path)
            for path in (
                "/resource_providers",
                f"/resource_providers/{HOST}/allocations",
                "/traits",
                "/resource_classes",
                "/usages?project_id=project",
                "/allocation_candidates?resources=VCPU:1",
            )
        ]

    def test_a_reshape_takes_more_statements_only_for_more_providers(self):
        self.make_a_host_with_a_claim()
        self.cost("POST", "/resource_providers", {"name": "child", "uuid": CHILD})
        classes = {name: THREE_CLASSES[name] for name in ("VCPU", "MEMORY_MB")}
        body = {
            "inventories": {
                HOST: {"resource_provider_generation": 2, "inventories": classes},
                CHILD: {
                    "resource_provider_generation": 0,
                    "inventories": {"DISK_GB": {"total": 100}},
                },
            },
            "allocations": {
                CONSUMER: claim(
                    {
                        HOST: {"resources": {"VCPU": 1, "MEMORY_MB": 1}},
                        CHILD: {"resources": {"DISK_GB": 1}},
                    },
                    1,
                )
            },
        }
        headers = {"X-Roles": "service"}
        self.assertEqual(18, self.cost("POST", "/reshaper", body, **headers))

    def test_more_unknown_names_take_no_more_statements(self):
        self.make_a_host_with_a_claim()
        names = [f"CUSTOM_{number}" for number in range(1000)]
        body = {"traits": names, "resource_provider_generation": 2}
        self.assertEqual(1, self.cost("PUT", f"/resource_providers/{HOST}/traits", body, 400))
        given = {
            "inventories": {name: {"total": 1} for name in names},
            "resource_provider_generation": 2,
        }
        path = f"/resource_providers/{HOST}/inventories"
        self.assertEqual(1, self.cost("PUT", path, given, 400))
        headers = {"X-Roles": "service"}
        body = {"inventories": {HOST: given}, "allocations": {}}
        self.assertEqual(2, self.cost("POST", "/reshaper", body, 400, **headers))
        unknown = {f"40000000-0000-0000-0000-{number:012}": given for number in range(100)}
        body = {"inventories": unknown, "allocations": {}}
        self.assertEqual(1, self.cost("POST", "/reshaper", body, 400, **headers))
