"""What one request may cost: a short one must not take all of a server's time or memory."""

import contextlib
import socket
import uuid
from unittest import mock

import sqlalchemy as sa
import testtools

from placement import exception
from placement.candidates import search
from placement.candidates.query import CandidateQuery, Group
from placement.candidates.why import spelling
from placement.db import names_and_ids, tables
from tests import databases, fixtures
from tests.functional.worlds import provider

HOSTS = 40
# The least that an operator can set.
LEAST = 1000


def groups(count, amount="VCPU:1", policy="none"):
    asked = [f"resources{number}={amount}" for number in range(count)]
    return "&".join([*asked, f"group_policy={policy}"])


def pairs(count):
    return "&".join(
        f"resources_a{n}=VCPU:1&resources_b{n}=VCPU:1&same_subtree=_a{n},_b{n}"
        for n in range(count)
    )


TREES = "&".join(f"in_tree{n}={uuid.UUID(int=n + 1)}" for n in range(50))
UNKNOWN = ",".join(f"CUSTOM_NO_{n:03}" for n in range(200))
# Requests whose cost grows with the number of hosts or of combinations. The search alone costs
# little.
QUESTIONS = {
    "groups that fit nowhere": f"/operator/explanation?{groups(120, 'VCPU:99999')}",
    "groups that must be apart": f"/operator/explanation?{groups(30, policy='isolate')}",
    "groups in trees that are not there": f"/operator/explanation?{groups(50)}&{TREES}",
    "unknown traits": f"/operator/explanation?resources=VCPU:99&required={UNKNOWN}",
    "subtrees": f"/operator/explanation?{pairs(20)}&group_policy=none",
    "groups that fit together": f"/operator/fit?{groups(120)}",
    "groups that are too large": f"/operator/fit?{groups(120, 'VCPU:99999')}",
    "more hosts": "/operator/fit?resources=VCPU:1&add=host-0:1000",
}


class Bound(testtools.TestCase):
    """If a test fails, nothing bounds the cost of that question."""

    def ask(self, path, **options):
        service = self.useFixture(fixtures.Application(**options))
        with service.database.writer() as conn:
            for number in range(HOSTS):
                # An explanation examines only one of several equal hosts.
                provider(conn, f"host-{number}", {"VCPU": 4 + number})
        return service.ask("GET", path, "latest")

    def test_a_query_that_costs_too_much_is_refused_with_the_name_of_the_option(self):
        for title, path in QUESTIONS.items():
            with self.subTest(title):
                answer = self.ask(path, placement__max_search_effort=LEAST)
                self.assertEqual(400, answer.status_int)
                detail = answer.json["errors"][0]["detail"]
                self.assertIn("[placement] max_search_effort", detail)
                self.assertIn("Ask for fewer", detail)

    def test_an_unknown_name_is_refused_although_the_groups_before_it_cost_too_much(self):
        """If it fails, a client is asked for fewer groups, and the name stays misspelt."""
        path = f"/allocation_candidates?{groups(5)}&required4=CUSTOM_NO"
        answer = self.ask(path, placement__max_search_effort=LEAST)
        self.assertEqual(400, answer.status_int)
        self.assertIn("No such trait(s): CUSTOM_NO", answer.text)

    def test_the_costliest_query_is_answered_in_a_small_cloud(self):
        for title, path in QUESTIONS.items():
            with self.subTest(title):
                answer = self.ask(path)
                self.assertEqual(200, answer.status_int)

    def test_a_plain_query_needs_little_effort(self):
        for question in (
            "explanation?resources=VCPU:5&required=CUSTOM_NO",
            "explanation?resources=VCPU:1",
            "fit?resources=VCPU:1",
        ):
            answer = self.ask(f"/operator/{question}", placement__max_search_effort=LEAST)
            self.assertEqual(200, answer.status_int)


class HangUp(testtools.TestCase):
    """If it fails, a client that has gone keeps a thread busy."""

    def test_even_a_cheap_search_ends_when_its_client_hangs_up(self):
        service = self.useFixture(fixtures.Application())
        with service.database.writer() as conn:
            provider(conn, "host", {"VCPU": 4})
        for path in ("explanation", "fit"):
            client, server = socket.socketpair()
            self.addCleanup(server.close)
            reports = service.database.reports

            @contextlib.contextmanager
            def gone(*check_abort, client=client, reports=reports):
                # The client hangs up after the check at the beginning of each request.
                client.close()
                with reports(*check_abort) as conn:
                    yield conn

            with mock.patch.object(service.database, "reports", gone):
                answer = service.ask(
                    "GET",
                    f"/operator/{path}?resources=VCPU:1",
                    environ={"gunicorn.socket": server},
                )
            self.assertEqual(499, answer.status_int)


@databases.on_each_database
class HangUpBetweenStatements:
    """If it fails, a report is finished for a client that has gone."""

    REPORTS = ("audit", "capacity?by=trait", "explanation?resources=VCPU:9", "providers")

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        with self.service.database.writer() as conn:
            provider(conn, "host", {"VCPU": 4})

    def ask(self, report, patience):
        """Hang up at one of the statements. Return the status, and how many statements there were.

        Those that only begin a transaction do not count.
        """
        client, server = socket.socketpair()
        executed = []

        def execute(_conn, _cursor, statement, *_):
            if not statement.startswith(("BEGIN", "SET TRANSACTION")):
                executed.append(statement)
            if len(executed) == patience:
                client.close()

        environ = {"gunicorn.socket": server}
        with (
            contextlib.closing(client),
            contextlib.closing(server),
            self.listening("after_cursor_execute", execute),
        ):
            answer = self.service.ask("GET", f"/operator/{report}", environ=environ)
        return answer.status_int, len(executed)

    @contextlib.contextmanager
    def listening(self, event, listener):
        engine = self.service.database.engine
        sa.event.listen(engine, event, listener)
        try:
            yield
        finally:
            sa.event.remove(engine, event, listener)

    def test_no_statement_starts_after_the_client_has_hung_up(self):
        for report in self.REPORTS:
            status, statements = self.ask(report, patience=None)
            self.assertEqual(200, status)
            self.assertGreater(statements, 2, report)
            for patience in range(1, statements):
                asked = report, patience
                self.assertEqual((499, patience), self.ask(*asked), asked)

    def test_the_database_connection_is_put_back_when_the_client_hangs_up(self):
        taken, put_back = [], []
        with (
            self.listening("checkout", lambda *each: taken.append(each)),
            self.listening("checkin", lambda *each: put_back.append(each)),
        ):
            self.assertEqual(499, self.ask("audit", 1)[0])
        self.assertEqual((1, 1), (len(taken), len(put_back)))


@databases.on_each_database
class Suggestions:
    """If a test fails, suggestions compare each unknown name with every known name."""

    def test_only_the_first_unknown_names_get_suggestions(self):
        names = [f"CUSTOM_GLOD_{letter}" for letter in "ABCDEFGHIJKLMNOP"]
        with self.database.writer() as conn:
            names_and_ids.add(conn, "traits", {"CUSTOM_GOLD_A"})
            found = spelling.unknown(conn, traits=names)
        self.assertEqual(names, [each.name for each in found])
        some = [bool(each.meant) for each in found]
        expected = spelling.MOST_CORRECTED
        self.assertEqual([True] * expected + [False] * (len(names) - expected), some)


class Size(testtools.TestCase):
    """If a test fails, the memory of an answer is unbounded, or an honest answer is refused."""

    MEBIBYTE = 2**20

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(
            fixtures.Application(placement__max_candidates_size=self.MEBIBYTE)
        )
        with self.service.database.writer() as conn:
            host = provider(conn, "host", {"MEMORY_MB": 1})
            for number in range(8):
                provider(conn, f"device-{number}", {"PGPU": 1}, parent=host)

    def ask(self, query):
        return self.service.ask("GET", f"/allocation_candidates?{query}", "latest")

    def test_candidates_larger_than_an_answer_may_be_are_refused(self):
        """There are 8! candidates of 8 groups each: 300,000 providers that serve a group."""
        query = groups(8, "PGPU:1", "isolate")
        answer = self.ask(query)
        self.assertEqual(400, answer.status_int)
        detail = answer.json["errors"][0]["detail"]
        self.assertIn("1,048,576 bytes", detail)
        self.assertIn("[placement] max_candidates_size", detail)
        self.assertIn("with limit", detail)
        most = self.MEBIBYTE // 8 // search.BYTES_OF_A_GROUP
        self.assertEqual(400, self.ask(f"{query}&limit={most + 1}").status_int)
        answer = self.ask(f"{query}&limit={most}")
        self.assertEqual(most, len(answer.json["allocation_requests"]))

    def test_summaries_larger_than_an_answer_may_be_are_refused(self):
        """Each provider has a list of all its traits."""
        with self.service.database.writer() as conn:
            names = {f"CUSTOM_{'X' * 200}_{number}" for number in range(100)}
            traits = names_and_ids.add(conn, "traits", names).values()
            hosts = [provider(conn, f"host-{n}", {"VCPU": 1}).id for n in range(60)]
            conn.execute(
                sa.insert(tables.resource_provider_traits),
                [
                    {"resource_provider_id": host, "trait_id": trait}
                    for host in hosts
                    for trait in traits
                ],
            )
        self.assertEqual(400, self.ask("resources=VCPU:1").status_int)
        self.assertEqual(200, self.ask("resources=VCPU:1&limit=40").status_int)

    def test_an_answer_sent_in_several_pieces_is_complete(self):
        answer = self.ask(f"{groups(4, 'PGPU:1', 'isolate')}")
        found = answer.json["allocation_requests"]
        self.assertEqual(8 * 7 * 6 * 5, len(found))
        self.assertEqual(len(found), len({str(each["mappings"]) for each in found}))
        self.assertEqual(9, len(answer.json["provider_summaries"]))
        self.assertEqual(len(answer.body), answer.content_length)

    def test_an_answer_without_candidates_is_complete(self):
        answer = self.ask("resources=PGPU:2")
        self.assertEqual({"allocation_requests": [], "provider_summaries": {}}, answer.json)

    def test_random_candidates_are_chosen_even_if_not_all_fit_into_an_answer(self):
        query = CandidateQuery(
            tuple(Group(f"_{n}", {"PGPU": 1}) for n in range(8)), isolate=True, limit=10
        )
        strategy = search.Strategy(order=search.Order.RANDOM, most_size=self.MEBIBYTE)
        found = search.find(self.service.database, query, strategy)
        self.assertEqual(10, len(found.candidates))
        strategy = search.Strategy(order=search.Order.RANDOM, most_size=9 * 8 * 128)
        with testtools.ExpectedException(exception.CandidatesTooLarge):
            search.find(self.service.database, query, strategy)
