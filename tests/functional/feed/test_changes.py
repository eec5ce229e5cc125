"""The feed of changes over HTTP: what it reports, and that a copy that follows it stays right."""

import json
import random
import threading
import uuid
from unittest import mock

import requests
import sqlalchemy as sa

from placement.db import consumers as db_consumers
from placement.db import tables
from placement.db.faults import outages
from placement.interception import Interceptor
from tests import databases, fixtures
from tests.functional.feed import documented_client
from tests.functional.interleaving import Meanwhile

HOST = "10000000-0000-0000-0000-000000000001"
CHILD = "10000000-0000-0000-0000-000000000002"
CONSUMER = "20000000-0000-0000-0000-000000000001"
OTHER = "20000000-0000-0000-0000-000000000002"
RACK = "30000000-0000-0000-0000-000000000001"
ADMIN = {"X-Roles": "admin,service"}


def claim(allocations, generation=None, **more):
    return {
        "allocations": {uuid: {"resources": amounts} for uuid, amounts in allocations.items()},
        "project_id": "project",
        "user_id": "user",
        "consumer_generation": generation,
        "consumer_type": "INSTANCE",
        **more,
    }


class ServiceWithChanges:
    """The requests that the tests of this module send."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind, **self.options))

    options = {}

    def send(self, method, path, body=None, status=None, version="latest", **headers):
        options = {} if body is None else {"json": body, "content_type": "application/json"}
        answer = self.service.ask(method, path, version, headers=ADMIN | headers, **options)
        expected = (200, 201, 204) if status is None else (status,)
        self.assertIn(answer.status_int, expected, f"{method} {path}: {answer.text}")
        return answer

    def make_host(self, host=HOST, total=100):
        self.send("POST", "/resource_providers", {"name": f"host-{host[-4:]}", "uuid": host})
        inventories = {name: {"total": total} for name in ("VCPU", "MEMORY_MB")}
        body = {"resource_provider_generation": 0, "inventories": inventories}
        self.send("PUT", f"/resource_providers/{host}/inventories", body)

    def changes(self, after=None, **query):
        query = query if after is None else query | {"after": after}
        text = "&".join(f"{name}={value}" for name, value in query.items())
        return self.send("GET", f"/operator/changes?{text}").json

    def newest(self):
        return self.changes()["next"]

    def assert_has_no_position(self, answer):
        """Check that a list of providers does not say where to continue."""
        self.assertNotIn("changes_after", answer.json)
        self.assertNotIn("Placement-Changes-After", answer.headers)


@databases.on_each_database
class Changes(ServiceWithChanges):
    """If a test fails, an operator reads what nobody did, or does not read who did it."""

    def test_a_claim_shows_who_made_it_and_what_it_takes(self):
        self.make_host()
        after = self.newest()
        answer = self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 2}}))
        document = self.changes(after)
        [change] = document["changes"]
        self.assertEqual(document["next"], change["position"])
        self.assertGreater(change["position"], after)
        created_at = change["after"].pop("created_at")
        self.assertRegex(created_at, r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertRegex(change.pop("at"), r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertEqual(
            {
                "position": document["next"],
                "request_id": answer.headers["X-OpenStack-Request-ID"],
                "actor": {"user_id": "admin", "project_id": "admin"},
                "by": "service",
                "operation": "PUT /allocations/{consumer_uuid}",
                "kind": "allocations",
                "uuid": CONSUMER,
                "name": None,
                "generations": {HOST: 2},
                "before": None,
                "after": {
                    "allocations": {HOST: {"resources": {"VCPU": 2}}},
                    "consumer_generation": 1,
                    "consumer_type": "INSTANCE",
                    "project_id": "project",
                    "user_id": "user",
                },
            },
            change,
        )

    def test_a_change_of_owner_is_reported(self):
        self.make_host()
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 2}}))
        after = self.newest()
        body = claim({HOST: {"VCPU": 2}}, 1, project_id="another", consumer_type="MIGRATION")
        self.send("PUT", f"/allocations/{CONSUMER}", body)
        self.send("DELETE", f"/allocations/{CONSUMER}")
        moved, deleted = self.changes(after)["changes"]
        shown = ("project_id", "consumer_type", "consumer_generation")
        self.assertEqual(
            [("project", "INSTANCE", 1), ("another", "MIGRATION", 2)],
            [tuple(moved[state][name] for name in shown) for state in ("before", "after")],
        )
        self.assertEqual((moved["after"], None), (deleted["before"], deleted["after"]))

    def test_a_request_that_changes_nothing_has_no_change(self):
        self.make_host()
        traits = {"resource_provider_generation": 1, "traits": ["HW_CPU_X86_AVX"]}
        self.send("PUT", f"/resource_providers/{HOST}/traits", traits)
        self.send("PUT", f"/resource_providers/{HOST}/aggregates", [RACK], version="1.18")
        self.send("PUT", "/traits/CUSTOM_A")
        self.send("PUT", "/resource_classes/CUSTOM_B")
        after = self.newest()
        self.send(
            "PUT",
            f"/resource_providers/{HOST}/traits",
            traits | {"resource_provider_generation": 2},
        )
        self.send("PUT", f"/resource_providers/{HOST}/aggregates", [RACK], version="1.18")
        self.send("PUT", f"/resource_providers/{HOST}", {"name": f"host-{HOST[-4:]}"})
        self.send("PUT", "/traits/CUSTOM_A")
        self.send("PUT", "/resource_classes/CUSTOM_B")
        self.assertEqual({"format": 1, "changes": [], "next": after}, self.changes(after))

    def test_a_refused_request_has_no_change(self):
        self.make_host()
        after = self.newest()
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 101}}), status=409)
        self.send("POST", "/resource_providers", {"name": "x", "uuid": HOST}, status=409)
        body = {
            CONSUMER: claim({HOST: {"VCPU": 1}}),
            OTHER: claim({HOST: {"VCPU": 100}}),
        }
        self.send("POST", "/allocations", body, status=409)
        self.assertEqual([], self.changes(after)["changes"])

    def test_several_consumers_have_a_change_each(self):
        self.make_host()
        after = self.newest()
        body = {each: claim({HOST: {"VCPU": 1}}) for each in (CONSUMER, OTHER)}
        self.send("POST", "/allocations", body)
        changes = self.changes(after)["changes"]
        self.assertEqual([CONSUMER, OTHER], [each["uuid"] for each in changes])
        self.assertEqual([{HOST: 2}] * 2, [each["generations"] for each in changes])
        self.assertEqual(1, len({each["request_id"] for each in changes}))

    def test_a_move_reports_the_new_root_of_all_that_moves(self):
        self.make_host()
        self.send("POST", "/resource_providers", {"name": "top", "uuid": OTHER})
        body = {"name": "child", "uuid": CHILD, "parent_provider_uuid": HOST}
        self.send("POST", "/resource_providers", body)
        after = self.newest()
        body = {"name": "renamed", "parent_provider_uuid": OTHER}
        self.send("PUT", f"/resource_providers/{HOST}", body)
        changes = {each["uuid"]: each for each in self.changes(after)["changes"]}
        self.assertEqual({HOST, CHILD}, changes.keys())
        self.assertEqual(
            {"name": "renamed", "parent_provider_uuid": OTHER, "root_provider_uuid": OTHER},
            changes[HOST]["after"],
        )
        self.assertEqual(HOST, changes[CHILD]["before"]["root_provider_uuid"])
        self.assertEqual(OTHER, changes[CHILD]["after"]["root_provider_uuid"])

    def test_filters_choose_changes(self):
        self.make_host()
        self.make_host(CHILD)
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 1}}))
        self.send("PUT", f"/allocations/{OTHER}", claim({CHILD: {"VCPU": 1}}, project_id="50%"))
        self.send("DELETE", f"/allocations/{CONSUMER}")
        for query, expected in (
            ({"kind": "inventories"}, [HOST, CHILD]),
            ({"provider": HOST}, [HOST, HOST, CONSUMER, CONSUMER]),
            ({"tree": CHILD}, [CHILD, CHILD, OTHER]),
            ({"tree": CHILD, "provider": HOST}, []),
            ({"consumer": OTHER}, [OTHER]),
            ({"project": "project"}, [CONSUMER, CONSUMER]),
            ({"project": "50%25"}, [OTHER]),
            ({"project": "%25"}, []),
            ({"actor": "admin", "kind": "allocations"}, [CONSUMER, OTHER, CONSUMER]),
            ({"actor": "Admin"}, []),
            ({"since": "2000-01-01", "kind": "allocations"}, [CONSUMER, OTHER, CONSUMER]),
            ({"until": "2000-01-01T00:00Z"}, []),
            ({"until": "2000-01-01T00:00+02:00"}, []),
            ({"until": "2000-01-01T00:00%2B02:00"}, []),
        ):
            changes = self.changes(**query)["changes"]
            self.assertEqual(expected, [each["uuid"] for each in changes], query)

    def test_the_changes_of_a_tree_include_those_of_what_has_left_it(self):
        moved = "10000000-0000-0000-0000-000000000003"
        self.make_host()
        self.send("POST", "/resource_providers", {"name": "top", "uuid": OTHER})
        for each in (CHILD, moved):
            body = {"name": each, "uuid": each, "parent_provider_uuid": HOST}
            self.send("POST", "/resource_providers", body)
        after = self.newest()
        body = {"resource_provider_generation": 0, "inventories": {"PGPU": {"total": 1}}}
        self.send("PUT", f"/resource_providers/{CHILD}/inventories", body)
        self.send("PUT", f"/allocations/{CONSUMER}", claim({CHILD: {"PGPU": 1}}))
        self.send("DELETE", f"/allocations/{CONSUMER}")
        self.send("DELETE", f"/resource_providers/{CHILD}")
        body = {"name": moved, "parent_provider_uuid": OTHER}
        self.send("PUT", f"/resource_providers/{moved}", body)
        expected = [CHILD, CONSUMER, CONSUMER, CHILD, moved]
        self.assertEqual(expected, self.subjects(after, tree=HOST))
        self.assertEqual(expected, self.subjects(after, tree=HOST, since="1h"))
        made = [HOST, HOST, CHILD, moved]
        self.assertEqual(made + expected, self.subjects(tree=HOST))
        back = self.subjects(order="newest", tree=HOST, since="1h")
        self.assertEqual(made + expected, back[::-1])
        self.assertEqual([], self.subjects(tree=HOST, until="2000-01-01"))
        # A host that was deleted had children.
        self.send("DELETE", f"/resource_providers/{HOST}")
        self.assertEqual([*made, *expected, HOST], self.subjects(tree=HOST))
        self.assertEqual([OTHER, moved, moved], self.subjects(tree=OTHER, kind="provider"))

    def subjects(self, *after, **query):
        return [each["uuid"] for each in self.changes(*after, **query)["changes"]]

    def test_pages_add_up_to_everything(self):
        for number in range(1, 5):
            self.make_host(f"10000000-0000-0000-0000-00000000000{number}")
        whole = self.changes()
        seen, position = [], None
        while True:
            document = self.changes(position, limit=3)
            if not document["changes"]:
                break
            seen += document["changes"]
            position = document["next"]
        self.assertEqual((whole["changes"], whole["next"]), (seen, position))
        self.assertEqual(sorted({each["position"] for each in seen}), [e["position"] for e in seen])

    def test_pages_read_backwards_add_up_to_everything(self):
        for number in range(1, 5):
            self.make_host(f"10000000-0000-0000-0000-00000000000{number}")
        whole = self.changes()["changes"]
        self.assertEqual(8, len(whole))
        for limit in (3, 4):
            seen, before, pages = [], {}, 0
            while before is not None:
                document = self.changes(order="newest", limit=limit, **before)
                seen += document["changes"]
                before = document["next"] and {"before": document["next"]}
                pages += 1
            self.assertEqual(whole[::-1], seen)
            self.assertEqual(-(-8 // limit), pages)

    def test_changes_read_backwards_can_be_filtered(self):
        self.make_host()
        self.make_host(CHILD)
        for host in (HOST, CHILD):
            document = self.changes(order="newest", tree=host, since="1h")
            self.assertEqual([host] * 2, [each["uuid"] for each in document["changes"]])
            self.assertIsNone(document["next"])
        self.assertEqual([], self.changes(order="newest", until="2000-01-01")["changes"])

    def test_a_sentence_names_hosts_even_those_that_were_deleted(self):
        self.make_host()
        body = {"name": "child", "uuid": CHILD, "parent_provider_uuid": HOST}
        self.send("POST", "/resource_providers", body)
        body = {"resource_provider_generation": 0, "inventories": {"PGPU": {"total": 1}}}
        self.send("PUT", f"/resource_providers/{CHILD}/inventories", body)
        self.send("PUT", f"/allocations/{CONSUMER}", claim({CHILD: {"PGPU": 1}}))
        self.assertEqual(
            f"placed instance {CONSUMER} of project project on host-0001: PGPU 1",
            self.sentences()[0],
        )
        self.send("DELETE", f"/allocations/{CONSUMER}")
        self.send("DELETE", f"/resource_providers/{CHILD}")
        self.assertEqual("deleted child below host-0001", self.sentences()[0])
        self.assertEqual(
            [
                f"removed instance {CONSUMER} of project project from child: PGPU 1",
                f"placed instance {CONSUMER} of project project on child: PGPU 1",
            ],
            self.sentences(consumer=CONSUMER),
        )

    def test_a_sentence_calls_a_deleted_parent_by_its_last_name(self):
        """The parent never had an inventory: only the changes to providers have its names."""
        self.send("POST", "/resource_providers", {"name": "parent", "uuid": HOST})
        body = {"name": "child", "uuid": CHILD, "parent_provider_uuid": HOST}
        self.send("POST", "/resource_providers", body)
        self.send("DELETE", f"/resource_providers/{CHILD}")
        self.send("PUT", f"/resource_providers/{HOST}", {"name": "renamed"})
        self.send("DELETE", f"/resource_providers/{HOST}")
        self.assertEqual(
            ["deleted child below renamed", "created child below renamed"],
            self.sentences(provider=CHILD),
        )

    def test_a_consumer_is_found_whatever_the_case_of_its_uuid(self):
        """PUT stores the usual spelling, and POST the one of its client."""
        self.make_host()
        in_capitals = "ABCDEF01-0000-4000-8000-000000000001"
        as_put = "ABCDEF01-0000-4000-8000-000000000002"
        self.send("POST", "/allocations", {in_capitals: claim({HOST: {"VCPU": 1}})})
        self.send("PUT", f"/allocations/{as_put}", claim({HOST: {"VCPU": 1}}))
        for given in (in_capitals, as_put):
            for spelling in (given, given.lower()):
                self.assertEqual(["allocations"], self.kinds(consumer=spelling), spelling)

    def test_a_consumer_with_the_uuid_of_a_host_is_not_taken_for_the_host(self):
        self.make_host()
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 1}}))
        self.send("DELETE", f"/allocations/{CONSUMER}")
        self.send("DELETE", f"/resource_providers/{HOST}")
        self.make_host(OTHER)
        self.send("PUT", f"/allocations/{HOST}", claim({OTHER: {"VCPU": 1}}))
        self.assertEqual(["allocations"], self.kinds(consumer=HOST))
        self.assertNotIn(OTHER, json.dumps(self.changes(provider=HOST)))
        whose = f"instance {CONSUMER} of project project"
        self.assertEqual(
            [f"removed {whose} from host-0001: VCPU 1", f"placed {whose} on host-0001: VCPU 1"],
            self.sentences(consumer=CONSUMER),
        )

    def kinds(self, **query):
        return [each["kind"] for each in self.changes(**query)["changes"]]

    def sentences(self, **query):
        document = self.changes(order="newest", sentences="true", **query)
        return ["".join(each["text"] for each in c["sentence"]) for c in document["changes"]]

    def test_lines_end_with_the_position_to_continue_after(self):
        self.make_host()
        answer = self.send("GET", "/operator/changes", Accept="application/x-ndjson")
        *changes, last = map(json.loads, answer.text.splitlines())
        document = self.changes()
        self.assertEqual(document["changes"], changes)
        self.assertEqual({"format": 1, "next": document["next"]}, last)

    def test_lines_have_sentences_too(self):
        self.make_host()
        path = "/operator/changes?sentences=true&limit=1"
        change, _ = self.send("GET", path, Accept="application/x-ndjson").text.splitlines()
        [expected] = self.send("GET", path).json["changes"]
        self.assertEqual(expected, json.loads(change))
        self.assertIn("sentence", expected)

    def test_a_position_that_never_was_or_is_no_longer_kept_is_refused(self):
        self.make_host()
        newest = self.newest()
        refused = self.send("GET", f"/operator/changes?after={newest + 1}", status=400)
        self.assertIn(f"There is no change at the position {newest + 1} yet", refused.text)
        refused = self.send("GET", "/operator/changes?after=1", status=410)
        self.assertEqual("placement.changes.expired", refused.json["errors"][0]["code"])

    def test_an_unknown_kind_is_refused_with_the_kinds(self):
        refused = self.send("GET", "/operator/changes?kind=hosts", status=400)
        for kind in ("provider", "inventories", "allocations", "resource_class"):
            self.assertIn(f"'{kind}'", refused.text)

    def test_a_poll_with_nothing_new_is_one_statement(self):
        self.make_host()
        after = self.newest()
        statements = databases.Statements(self.service.database)
        with statements:
            self.changes(after)
        self.assertEqual(1, len(statements.seen), statements.seen)

    def test_a_page_read_backwards_is_two_statements_and_the_first_one_is_three(self):
        self.make_host()
        newest = self.newest()
        for before, cost in (({}, 3), ({"before": newest}, 2)):
            statements = databases.Statements(self.service.database)
            with statements:
                self.changes(order="newest", **before)
            self.assertEqual(cost, len(statements.seen), statements.seen)


class FollowingWrites(ServiceWithChanges):
    """A copy of the cloud, kept by the program of the documentation."""

    def setUp(self):
        super().setUp()
        host = f"{uuid.uuid4()}.invalid"
        intercepting = Interceptor(lambda: self.service.application, host=host)
        url = intercepting.__enter__()
        self.addCleanup(intercepting.__exit__, None, None, None)
        session = requests.Session()
        session.trust_env = False
        session.headers.update({"X-Auth-Token": "admin"})
        self.copy = documented_client.module().Copy(session, url.rstrip("/"))

    def assert_in_step(self):
        """Check that the copy, at the service's position, equals what the service answers."""
        answer = self.send("GET", "/operator/providers?consumers=true").json
        self.advance(answer["changes_after"])
        fresh = {each["uuid"]: each for each in answer["resource_providers"]}
        self.assertEqual(
            json.dumps(fresh, sort_keys=True, indent=1),
            json.dumps(self.copy.providers, sort_keys=True, indent=1),
        )

    def advance(self, position):
        """Apply the changes up to a position to the copy, and no others."""
        for change in self.changes(self.copy.position, limit=10_000)["changes"]:
            if change["position"] <= position:
                self.copy.apply(change)
        self.copy.position = position


@databases.on_each_database
class Following(FollowingWrites):
    """If a test fails, clients that keep a copy of the cloud have a wrong one."""

    def test_a_copy_follows_every_kind_of_write(self):
        self.make_host()
        self.copy.read()
        self.assert_in_step()
        provider = f"/resource_providers/{HOST}"
        for write in (
            ("POST", "/resource_providers", {"name": "c", "uuid": CHILD}),
            ("PUT", f"/resource_providers/{CHILD}", {"name": "c", "parent_provider_uuid": HOST}),
            ("POST", "/resource_classes", {"name": "CUSTOM_A"}),
            (
                "POST",
                f"{provider}/inventories",
                {"resource_class": "CUSTOM_A", "total": 3, "allocation_ratio": 1.1},
            ),
            ("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 1, "CUSTOM_A": 1}})),
            ("PUT", "/resource_classes/CUSTOM_A", {"name": "CUSTOM_B"}, None, "1.6"),
            ("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 2}}, 1)),
            (
                "POST",
                "/allocations",
                {
                    CONSUMER: claim({}, 2),
                    OTHER: claim({HOST: {"VCPU": 2, "CUSTOM_B": 1}}),
                },
            ),
            (
                "PUT",
                f"{provider}/inventories/VCPU",
                {"resource_provider_generation": 5, "total": 50, "reserved": 2},
            ),
            (
                "PUT",
                f"{provider}/traits",
                {
                    "resource_provider_generation": 6,
                    "traits": ["HW_CPU_X86_VMX", "HW_CPU_X86_AVX", "COMPUTE_NODE"],
                },
            ),
            (
                "PUT",
                f"{provider}/aggregates",
                {"resource_provider_generation": 7, "aggregates": [RACK, CHILD]},
            ),
            ("PUT", f"{provider}/aggregates", [RACK], None, "1.18"),
            (
                "POST",
                "/reshaper",
                {
                    "inventories": {
                        HOST: {
                            "resource_provider_generation": 8,
                            "inventories": {"VCPU": {"total": 60}},
                        },
                        CHILD: {
                            "resource_provider_generation": 0,
                            "inventories": {"CUSTOM_B": {"total": 4}},
                        },
                    },
                    "allocations": {
                        OTHER: claim({HOST: {"VCPU": 2}, CHILD: {"CUSTOM_B": 1}}, 1)
                    },
                },
            ),
            ("DELETE", f"{provider}/traits"),
            ("DELETE", f"/allocations/{OTHER}"),
            ("DELETE", f"/resource_providers/{CHILD}/inventories/CUSTOM_B"),
            ("DELETE", f"/resource_providers/{CHILD}"),
            ("DELETE", f"{provider}/inventories"),
        ):
            self.send(*write)
            self.assert_in_step()

    def test_a_change_stays_as_it_was_returned_when_the_copy_goes_on(self):
        self.copy.read()
        self.make_host()
        returned = self.copy.follow()
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 2}}))
        self.copy.follow()
        self.assertEqual(self.changes()["changes"][: len(returned)], returned)

    def test_a_copy_can_begin_with_any_kind_of_answer(self):
        """An answer in lines, or a 304, has the position only in a header."""
        self.make_host()
        whole = self.send("GET", "/operator/providers")
        lines = self.send("GET", "/operator/providers", Accept="application/x-ndjson")
        position = whole.json["changes_after"]
        for answer in (whole, lines):
            self.assertEqual(str(position), answer.headers["Placement-Changes-After"])
        # A trait that no provider has changes the position, but not the answer.
        self.send("PUT", "/traits/CUSTOM_A")
        known = {"If-None-Match": whole.headers["ETag"]}
        unchanged = self.send("GET", "/operator/providers", status=304, **known)
        after = int(unchanged.headers["Placement-Changes-After"])
        [change] = self.changes(position)["changes"]
        self.assertEqual((after, "CUSTOM_A"), (change["position"], change["name"]))

    def test_a_consumer_that_is_created_during_its_release_stays(self):
        """The consumer did not exist yet when the release read the state that it records."""
        self.make_host()
        self.copy.read()
        created = claim({HOST: {"VCPU": 2}})

        def create():
            self.send("PUT", f"/allocations/{CONSUMER}", created)

        with Meanwhile(db_consumers, "lock", create):
            self.send("DELETE", f"/allocations/{CONSUMER}", status=404)
        self.assert_in_step()

    def test_a_copy_follows_a_storm_of_several_writers(self):
        hosts = [f"10000000-0000-0000-0000-00000000000{number}" for number in range(1, 4)]
        for host in hosts:
            self.make_host(host, total=20)
        self.copy.read()
        writers = [threading.Thread(target=self.storm, args=(hosts, seed)) for seed in range(4)]
        for writer in writers:
            writer.start()
        while any(writer.is_alive() for writer in writers):
            self.copy.follow()
            self.assert_in_step()
        for writer in writers:
            writer.join()
        self.assert_in_step()
        self.assert_linked(self.changes(limit=10_000)["changes"])

    def assert_linked(self, changes):
        """Check that each change of a subject begins with the state in which the last one ended."""
        states = {}
        for change in changes:
            subject = change["kind"], change["uuid"]
            if subject in states:
                self.assertEqual(states[subject], change["before"], change)
            states[subject] = change["after"]

    def storm(self, hosts, seed):
        """Send a few dozen writes, some of which are refused."""
        dice = random.Random(seed)
        for number in range(25):
            consumer = f"20000000-0000-0000-0000-00000000000{dice.randrange(6)}"
            host = dice.choice(hosts)
            if dice.random() < 0.3:
                self.service.ask("DELETE", f"/allocations/{consumer}", "latest")
            elif dice.random() < 0.2:
                self.service.ask(
                    "PUT",
                    f"/resource_providers/{host}",
                    "latest",
                    json={"name": f"{host[-1]}-{seed}-{number}"},
                    content_type="application/json",
                )
            else:
                # Older clients do not know generations, so few of their writes are refused.
                body = {
                    "allocations": {host: {"resources": {"VCPU": dice.randint(1, 5)}}},
                    "project_id": f"project-{seed}",
                    "user_id": "user",
                }
                self.service.ask(
                    "PUT",
                    f"/allocations/{consumer}",
                    "1.12",
                    json=body,
                    content_type="application/json",
                )


    def test_everything_is_read_from_a_replica_while_the_primary_does_not_answer(self):
        self.make_host()
        down = outages.Outage(outages.Reason.UNREACHABLE, "down")
        with mock.patch.object(self.service.database, "single_statement", side_effect=down):
            answer = self.send("GET", "/operator/providers")
        self.assertEqual([HOST], [each["uuid"] for each in answer.json["resource_providers"]])
        self.assert_has_no_position(answer)


@databases.on_each_database
class WithoutHistory(ServiceWithChanges):
    """If a test fails, an operator who wants no history pays for it."""

    options = {"operator__history_days": 0}

    def test_nothing_is_stored(self):
        self.make_host()
        with self.service.database.reader() as conn:
            self.assertEqual([], conn.execute(sa.select(tables.changes)).all())
        self.assert_has_no_position(self.send("GET", "/operator/providers"))


@databases.on_each_database
class FollowingWithoutHistory(FollowingWrites):
    """If a test fails, a client that wants to follow the feed does not learn why it cannot."""

    options = {"operator__history_days": 0}

    def test_a_follower_is_told_that_there_is_nothing_to_follow(self):
        self.make_host()
        error = self.assertRaises(requests.RequestException, self.copy.read)
        self.assertIn("history_days", str(error))
        self.assertEqual({}, self.copy.providers)
