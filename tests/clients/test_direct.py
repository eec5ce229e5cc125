"""placement.direct: programs that have the service in their own process."""

import contextlib
import io
import os
import re
import textwrap

import fixtures as base_fixtures
import sqlalchemy as sa
import testtools
from keystoneauth1 import exceptions
from oslo_config import cfg

from placement import direct, microversion
from placement.conf import register_opts
from placement.db.schema.errors import NotMigrated
from tests import databases

HOST = "5e000001-0000-4000-8000-000000000001"
OTHER_HOST = "5e000001-0000-4000-8000-000000000002"
INSTANCE = "5e000002-0000-4000-8000-000000000001"

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def configuration_of(url, **values):
    """The ConfigOpts of a program, which names the database and knows no other option."""
    conf = cfg.ConfigOpts()
    conf([], project="placement", default_config_files=[], default_config_dirs=[])
    register_opts(conf)
    for name, value in ({"connection": url} | values).items():
        conf.set_override(name, value, group="placement_database")
    return conf


class Direct(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in os.environ:
            if name.lower().endswith("_proxy"):
                self.useFixture(base_fixtures.EnvironmentVariable(name))

    def fresh(self):
        """The configuration of a program with an empty database of its own."""
        return configuration_of(self.useFixture(databases.FreshDatabase()).url)

    def test_a_program_finds_candidates_and_claims_one(self):
        with direct.PlacementDirect(self.fresh(), latest_microversion=True) as placement:
            made = placement.post("/resource_providers", json={"uuid": HOST, "name": "host"})
            self.assertEqual((200, HOST), (made.status_code, made.json()["uuid"]))
            newest = f"placement {microversion.VERSIONS[-1]}"
            self.assertEqual(newest, made.headers["OpenStack-API-Version"])
            placement.put(
                f"/resource_providers/{HOST}/inventories",
                json={"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8}}},
            )
            found = placement.get("/allocation_candidates?resources=VCPU:6").json()
            claim = {
                **found["allocation_requests"][0],
                "project_id": "project",
                "user_id": "user",
                "consumer_type": "INSTANCE",
                "consumer_generation": None,
            }
            consumer = f"/allocations/{INSTANCE}"
            self.assertEqual(204, placement.put(consumer, json=claim).status_code)
            self.assertEqual(204, placement.delete(consumer).status_code)

    def test_a_request_without_a_microversion_gets_the_oldest(self):
        with direct.PlacementDirect(self.fresh()) as placement:
            for wanted, got in [
                ({}, "1.0"),
                ({"microversion": "1.20"}, "1.20"),
                ({"headers": {"OpenStack-API-Version": "placement 1.7"}}, "1.7"),
            ]:
                answer = placement.get("/resource_providers", **wanted)
                self.assertEqual(f"placement {got}", answer.headers["OpenStack-API-Version"])

    def test_a_refusal_is_returned_and_raises_nothing(self):
        with direct.PlacementDirect(self.fresh(), latest_microversion=True) as placement:
            answer = placement.get(f"/resource_providers/{HOST}")
            self.assertEqual(404, answer.status_code)
            self.assertIn(HOST, answer.json()["errors"][0]["detail"])

    def test_a_program_with_the_database_may_reshape(self):
        with direct.PlacementDirect(self.fresh(), latest_microversion=True) as placement:
            answer = placement.post("/reshaper", json={"inventories": {}, "allocations": {}})
            self.assertEqual(400, answer.status_code)
            placement.post("/resource_providers", json={"uuid": HOST, "name": "host"})
            answer = placement.post(
                "/reshaper",
                json={
                    "inventories": {
                        HOST: {"resource_provider_generation": 0, "inventories": {}}
                    },
                    "allocations": {},
                },
            )
            self.assertEqual((204, ""), (answer.status_code, answer.text))

    def test_a_later_service_on_the_same_database_reads_earlier_writes(self):
        conf = self.fresh()
        with direct.PlacementDirect(conf) as placement:
            placement.post("/resource_providers", json={"uuid": HOST, "name": "host"})
        with direct.PlacementDirect(conf) as placement:
            self.assertEqual(200, placement.get(f"/resource_providers/{HOST}").status_code)

    def test_two_services_on_two_databases_do_not_see_each_others_providers(self):
        with (
            direct.PlacementDirect(self.fresh()) as here,
            direct.PlacementDirect(self.fresh()) as there,
        ):
            here.post("/resource_providers", json={"uuid": HOST, "name": "host"})
            there.post("/resource_providers", json={"uuid": OTHER_HOST, "name": "host"})
            for placement, own, other in [(here, HOST, OTHER_HOST), (there, OTHER_HOST, HOST)]:
                self.assertEqual(200, placement.get(f"/resource_providers/{own}").status_code)
                self.assertEqual(404, placement.get(f"/resource_providers/{other}").status_code)

    def test_a_database_in_memory_lasts_as_long_as_the_service(self):
        conf = configuration_of("sqlite://", sync_on_startup=True)
        for _ in range(2):
            with direct.PlacementDirect(conf) as placement:
                answer = placement.post("/resource_providers", json={"name": "host"})
                self.assertEqual(201, answer.status_code)

    def test_a_service_that_was_ended_answers_no_request(self):
        with direct.PlacementDirect(self.fresh()) as placement:
            self.assertEqual(200, placement.get("/").status_code)
        self.assertRaises(exceptions.ConnectFailure, placement.get, "/")

    def test_no_request_goes_to_a_proxy_of_the_environment(self):
        proxy = "http://127.0.0.1:1"
        for name in ("all_proxy", "http_proxy", "https_proxy", "HTTP_PROXY"):
            self.useFixture(base_fixtures.EnvironmentVariable(name, proxy))
        with direct.PlacementDirect(self.fresh()) as placement:
            self.assertEqual(200, placement.get("/").status_code)
        self.assertEqual(proxy, os.environ["http_proxy"])

    def test_no_connection_to_the_database_is_left_open(self):
        # For a database in a file, no connection stays open for long.
        conf = configuration_of("sqlite://", sync_on_startup=True)
        opened, closed = [], []
        self.listen("connect", lambda connection, _record: opened.append(connection))
        self.listen("close", lambda connection, _record: closed.append(connection))
        with direct.PlacementDirect(conf) as placement:
            placement.get("/resource_providers")
            self.assertLess(len(closed), len(opened))
        self.assertEqual(len(opened), len(closed))

    def listen(self, event, listener):
        """Call `listener` when any pool opens or closes a connection."""
        sa.event.listen(sa.pool.Pool, event, listener)
        self.addCleanup(sa.event.remove, sa.pool.Pool, event, listener)

    def test_a_database_that_is_not_migrated_is_refused(self):
        path = os.path.join(self.useFixture(base_fixtures.TempDir()).path, "empty.db")
        open(path, "w").close()
        service = direct.PlacementDirect(configuration_of(f"sqlite:///{path}"))
        self.assertRaises(NotMigrated, service.__enter__)

    def test_the_documented_example_prints_the_documented_output(self):
        with open(os.path.join(CHECKOUT, "doc", "how-to", "direct.rst")) as page:
            text = page.read()
        example = re.search(r"code-block:: python\n\n((?: {4}.*\n|\n)+)", text)[1]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(textwrap.dedent(example), {})
        self.assertIn(f"This prints ``{printed.getvalue().strip()}``.", text)
