"""Requests that write allocations, with names whose old ids now belong to others.

`test_remembered_names` covers names that change while a claim is written. Here, they changed
before, so every request has to check its names.
"""

import itertools
import uuid

import sqlalchemy as sa

from placement.db import engine, names_and_ids, tables
from tests import databases, fixtures
from tests.functional import invariants
from tests.functional.worlds import provider

allocations = tables.allocations
providers, classes = tables.resource_providers, tables.resource_classes
EVERYTHING = {"VCPU": 1, "CUSTOM_A": 1}


def new_uuid():
    return str(uuid.uuid4())


def renamed(column, name, new_name):
    """Return the statement that gives a row another name."""
    return sa.update(column.table).where(column == name).values({column: new_name})


def exchanged(column, name, other):
    """Return statements that exchange the names of two rows."""
    return [
        renamed(column, name, "neither"),
        renamed(column, other, name),
        renamed(column, "neither", other),
    ]


@databases.on_each_database
class StaleNames:
    """If a test fails, a request takes from a provider, or of a class, that it does not name.

    `self.one`, `self.two` and `self.reshaped` are uuids of hosts, `self.known` is all that the
    service remembers, and `self.others` the same database, as another process sees it.
    """

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        url = self.service.configuration.placement_database.connection
        self.others = engine.connect(url)
        self.addCleanup(self.others.engine.dispose)
        self.addCleanup(self.check_invariants)
        self.accepted(self.ask("PUT", "/resource_classes/CUSTOM_A"))
        with self.others.writer() as conn:
            self.one, self.two, self.reshaped = [
                provider(conn, name, {"VCPU": 8, "CUSTOM_A": 8}).uuid
                for name in ("one", "two", "reshaped")
            ]
        # Projects, users and types are remembered, too: a claim relies on all names or on none.
        consumer = new_uuid()
        self.accepted(self.put({consumer: {self.one: EVERYTHING}}))
        self.accepted(self.ask("DELETE", f"/allocations/{consumer}"))
        self.learn_all()

    def learn_all(self):
        """Set `self.known` to the present names."""
        with self.others.reader() as conn:
            rows = {
                subject: dict(conn.execute(sa.select(name, key)).all())
                for subject, (name, key) in names_and_ids.NAMED.items()
            }
        self.known = names_and_ids.Names(**rows)

    def each_request(self):
        """Yield each way to write a claim; before each, let the service remember what is known."""
        for send in (self.put, self.post, self.reshape):
            self.service.database.caches.names.remember(self.known)
            yield send

    def check_invariants(self):
        with self.others.reader() as conn:
            self.assertEqual([], invariants.violations(conn))

    def ask(self, method, path, body=None):
        options = {} if body is None else {"json": body, "content_type": "application/json"}
        roles = {"X-Roles": "admin,service"}
        return self.service.ask(method, path, "latest", headers=roles, **options)

    def put(self, claims):
        [(consumer, body)] = self.bodies(claims).items()
        return self.ask("PUT", f"/allocations/{consumer}", body)

    def post(self, claims):
        return self.ask("POST", "/allocations", self.bodies(claims))

    def reshape(self, claims, host=None, totals=None):
        """Write the claims, and the inventories of a host: `totals` is {class_name: total}."""
        host = host or self.reshaped
        inventories = {
            "resource_provider_generation": self.generation(host),
            "inventories": {
                name: {"total": total} for name, total in (totals or {"VCPU": 8}).items()
            },
        }
        body = {"inventories": {host: inventories}, "allocations": self.bodies(claims)}
        return self.ask("POST", "/reshaper", body)

    def bodies(self, claims):
        """Return {consumer: body} for {consumer: {host: {class_name: amount}}}."""
        return {
            consumer: {
                "allocations": {host: {"resources": each} for host, each in wanted.items()},
                "project_id": "project",
                "user_id": "user",
                "consumer_generation": None,
                "consumer_type": "INSTANCE",
            }
            for consumer, wanted in claims.items()
        }

    def generation(self, host):
        query = sa.select(providers.c.generation).where(providers.c.uuid == host)
        with self.others.reader() as conn:
            return conn.scalar(query) or 0

    def accepted(self, answer):
        self.assertIn(answer.status_int, (201, 204), answer.text)

    def refused(self, answer, sentence):
        self.assertEqual(400, answer.status_int, answer.text)
        self.assertIn(sentence, answer.json["errors"][0]["detail"])

    def by_others(self, *statements):
        with self.others.writer() as conn:
            for statement in statements:
                conn.execute(statement)

    def taken(self):
        """Return {(uuid of a host, class_name): amount} of what is stored."""
        query = (
            sa.select(providers.c.uuid, classes.c.name, sa.func.sum(allocations.c.used))
            .join(providers, providers.c.id == allocations.c.resource_provider_id)
            .join(classes, classes.c.id == allocations.c.resource_class_id)
            .group_by(providers.c.uuid, classes.c.name)
        )
        with self.others.reader() as conn:
            return {(host, name): int(used) for host, name, used in conn.execute(query)}

    def test_a_deleted_host_whose_id_was_reused_is_unknown(self):
        gone, live = self.one, new_uuid()
        self.replace(gone, live)
        sentence = f"Allocation for resource provider '{gone}' that does not exist"
        for wanted in ({gone: EVERYTHING}, {gone: EVERYTHING, live: EVERYTHING}):
            for send in self.each_request():
                self.refused(send({new_uuid(): wanted}), sentence)
        self.assertEqual({}, self.taken())

    def test_a_reused_id_does_not_give_one_host_to_two_consumers(self):
        gone, live = self.one, new_uuid()
        self.replace(gone, live)
        for names in ([gone, live], [live, gone]):
            for send in itertools.islice(self.each_request(), 1, None):
                answer = send({new_uuid(): {name: EVERYTHING} for name in names})
                self.refused(answer, f"resource provider '{gone}' that does not exist")
        self.assertEqual({}, self.taken())

    def test_a_deleted_host_whose_id_was_reused_is_not_reshaped(self):
        gone, live = self.one, new_uuid()
        self.replace(gone, live)
        self.service.database.caches.names.remember(self.known)
        answer = self.reshape({new_uuid(): {live: EVERYTHING}}, gone, {"VCPU": 1})
        self.refused(answer, f"Resource provider {gone} in inventories not found")
        self.assertEqual({}, self.taken())

    def replace(self, gone, live):
        """Give a host's id to a new host, and let the service remember both names for this id."""
        self.by_others(renamed(providers.c.uuid, gone, live))
        self.known.providers[live] = self.known.providers[gone]

    def test_hosts_that_swapped_ids_get_the_claims_that_name_them(self):
        self.by_others(*exchanged(providers.c.uuid, self.one, self.two))
        for send in self.each_request():
            self.accepted(send({new_uuid(): {self.one: {"VCPU": 2}, self.two: {"CUSTOM_A": 1}}}))
        self.assertEqual({(self.one, "VCPU"): 6, (self.two, "CUSTOM_A"): 3}, self.taken())

    def test_a_deleted_class_whose_id_was_reused_is_unknown(self):
        self.by_others(renamed(classes.c.name, "CUSTOM_A", "CUSTOM_B"))
        self.known.resource_classes["CUSTOM_B"] = self.known.resource_classes["CUSTOM_A"]
        sentence = "No such resource class CUSTOM_A"
        for amounts in ({"CUSTOM_A": 1}, {"CUSTOM_A": 1, "CUSTOM_B": 1}):
            for send in self.each_request():
                self.refused(send({new_uuid(): {self.one: amounts}}), sentence)
            self.refused(self.reshape({}, self.one, amounts), sentence)
        self.assertEqual({}, self.taken())

    def test_classes_that_swapped_ids_are_not_confused(self):
        self.accepted(self.ask("PUT", "/resource_classes/CUSTOM_B"))
        self.accepted(self.reshape({}, self.one, {"CUSTOM_A": 8, "CUSTOM_B": 80}))
        self.learn_all()
        self.by_others(*exchanged(classes.c.name, "CUSTOM_A", "CUSTOM_B"))
        for send in self.each_request():
            # By now, there are 80 units of CUSTOM_A.
            self.accepted(send({new_uuid(): {self.one: {"CUSTOM_A": 9}}}))
        self.assertEqual({(self.one, "CUSTOM_A"): 27}, self.taken())
