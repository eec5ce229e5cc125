"""GET /operator/providers: many batches show one moment, and take little memory."""

import csv
import datetime
import json
import socket
import tempfile
import tracemalloc

import prometheus_client
import sqlalchemy as sa
import testtools
from oslo_utils import fixture as utils_fixture

from placement.cmd import manage
from placement.db import tables
from placement.db.reports import whole_providers
from placement.handlers.operator import spool
from placement.objects import resource_provider
from placement.objects.provider_filters import ProviderFilters
from tests import databases, fixtures
from tests.commands import Commands
from tests.functional.worlds import claim, mistyped, provider, set_inventories, take

EVERY = ProviderFilters()


@databases.on_each_database
class WholeProviders:
    """If a test fails, a report combines facts that were never true at the same time."""

    def setUp(self):
        super().setUp()
        self.patch(whole_providers, "_BATCH", 2)
        with self.database.writer() as conn:
            self.hosts = [provider(conn, f"host{n}", {"VCPU": 4}) for n in range(5)]

    def test_every_provider_is_in_exactly_one_batch(self):
        with self.database.reports() as conn:
            batches = list(resource_provider.whole(conn, EVERY, with_allocations=False))
        names = [[each.provider.name for each in batch] for batch in batches]
        self.assertEqual([["host0", "host1"], ["host2", "host3"], ["host4"]], names)

    def test_each_batch_takes_a_fixed_number_of_statements(self):
        for with_allocations, cost in ((False, 4), (True, 5)):
            statements = databases.Statements(self.database)
            with statements, self.database.reports() as conn:
                batches = list(resource_provider.whole(conn, EVERY, with_allocations))
                self.assertEqual(cost * len(batches) + 3, len(statements.seen))

    def test_writes_during_a_report_are_not_in_it(self):
        with self.database.reports() as conn:
            batches = resource_provider.whole(conn, EVERY, with_allocations=False)
            next(batches)
            with self.database.writer() as other:
                set_inventories(other, self.hosts[4], {"VCPU": 8})
                provider(other, "new")
            rest = [each for batch in batches for each in batch]
        self.assertEqual(["host2", "host3", "host4"], [each.provider.name for each in rest])
        self.assertEqual([4, 4, 4], [each.inventories[0].total for each in rest])

    def test_the_report_has_the_creation_time_of_a_consumer(self):
        moment = datetime.datetime(2026, 1, 5, 8, 30)
        with utils_fixture.TimeFixture(moment):
            take(self.database, claim({self.hosts[0]: {"VCPU": 1}}))
        self.assertEqual(moment, self.first_allocation().created_at)

    def test_a_consumer_without_created_at_has_no_creation_time_in_the_report(self):
        take(self.database, claim({self.hosts[0]: {"VCPU": 1}}))
        with self.database.writer() as conn:
            conn.execute(sa.update(tables.consumers).values(created_at=None))
        self.assertIsNone(self.first_allocation().created_at)

    def test_a_deleted_aggregate_is_not_in_the_report(self):
        with self.database.writer() as conn:
            dangling = {"resource_provider_id": self.hosts[0].id, "aggregate_id": 12345}
            conn.execute(sa.insert(tables.resource_provider_aggregates), dangling)
        with self.database.reports() as conn:
            [first, _] = next(resource_provider.whole(conn, EVERY, with_allocations=False))
        self.assertEqual([], first.aggregates)

    def first_allocation(self):
        with self.database.reports() as conn:
            [first, _] = next(resource_provider.whole(conn, EVERY, with_allocations=True))
        [allocation] = first.allocations
        return allocation


class Command(Commands, testtools.TestCase):
    """placement-manage providers"""

    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        with fresh.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 8, "DISK_GB": 100}, reserved=4)
            provider(conn, "empty")
        take(fresh.database, claim({self.host: {"VCPU": 1}}))

    def run_providers(self, *arguments):
        return self.run_command(manage, "providers", *arguments)

    def test_the_providers_command_prints_a_table(self):
        status, output, _ = self.run_providers()
        self.assertEqual(0, status)
        rows = [line.split() for line in output.splitlines()]
        header = ["Provider", "Class", "Used", "%", "Capacity", "Total", "Reserved"]
        self.assertEqual(header, rows[0])
        used = "█" * 5 + "░" * 15
        self.assertEqual(["host", "VCPU", "1", used, "25", "4", "8", "4"], rows[1])
        self.assertEqual(["DISK_GB", "0", "░" * 20, "0", "96", "100", "4"], rows[2])
        self.assertEqual(["empty"], rows[3])

    def test_the_providers_command_corrects_unknown_names(self):
        status, _, errors = self.run_providers("resources=VCPUS:1")
        self.assertEqual(2, status)
        self.assertIn("No such resource class VCPUS. Did you mean VCPU or ", errors)
        status, _, errors = self.run_providers("required=HW_CPU_X86_AVX_2")
        self.assertEqual((2, True), (status, "Did you mean HW_CPU_X86_AVX2 or " in errors), errors)
        other = mistyped(self.host.uuid)
        status, _, errors = self.run_providers("--csv", f"in_tree={other}")
        said = f"No provider is called {other}; did you mean {self.host.uuid}?"
        self.assertEqual((0, f"placement-manage: {said}\n"), (status, errors))

    def test_the_providers_command_prints_csv(self):
        _, output, _ = self.run_providers("--csv", "resources=VCPU:1")
        rows = list(csv.DictReader(output.splitlines()))
        self.assertEqual(["VCPU", "DISK_GB"], [row["resource_class"] for row in rows])
        self.assertEqual(("host", "8", "4", "1"), tuple(
            rows[0][column] for column in ("name", "total", "reserved", "used")
        ))

    def test_the_providers_command_prints_json(self):
        _, output, _ = self.run_providers("--json", "--consumers", f"uuid={self.host.uuid}")
        [shown] = json.loads(output)["resource_providers"]
        [allocation] = shown["allocations"].values()
        self.assertEqual({"VCPU": 1}, allocation["resources"])
        self.assertIn("created_at", allocation)

    def test_the_providers_command_reports_a_mistake_in_the_query(self):
        for query in ("required=CUSTOM_NONE", "colour=red"):
            status, output, errors = self.run_providers(query)
            self.assertEqual((2, "", 1), (status, output, errors.count("\n")))


class Lines(testtools.TestCase):
    def test_the_streamed_answer_has_one_line_for_each_provider(self):
        service = self.useFixture(fixtures.Application())
        with service.database.writer() as conn:
            for name in ("one", "tw\u00f6"):
                provider(conn, name)
        headers = {"Accept": "application/x-ndjson"}
        answer = service.ask("GET", "/operator/providers", headers=headers)
        lines = answer.body.splitlines()
        self.assertEqual(["one", "tw\u00f6"], [json.loads(line)["name"] for line in lines])


def add_hosts(service, numbers):
    rows = [
        {"uuid": f"{n:032x}", "name": f"host{n}", "generation": 0, "id": n + 1} for n in numbers
    ]
    with service.database.writer() as conn:
        conn.execute(sa.insert(tables.resource_providers), rows)
        conn.execute(
            sa.update(tables.resource_providers).values(
                root_provider_id=tables.resource_providers.c.id
            )
        )


@databases.on_each_database
class SlowReader:
    """If it fails, a client that reads a byte a second keeps the database from cleaning up."""

    def test_a_client_that_reads_slowly_holds_no_connection(self):
        service = self.useFixture(fixtures.Application(self.kind))
        in_use, waiting = (prometheus_client.Gauge(n, "-", registry=None) for n in ("u", "w"))
        service.database.count_connections(in_use, waiting)
        add_hosts(service, range(2000))
        pieces = iter(service.ask("GET", "/operator/providers").app_iter)
        first = next(pieces)
        [metric] = in_use.collect()
        self.assertEqual(0, metric.samples[0].value)
        rest = b"".join(pieces)
        self.assertNotEqual(b"", rest)
        self.assertEqual(2000, len(json.loads(first + rest)["resource_providers"]))


class Memory(testtools.TestCase):
    """If it fails, a request about a large cloud takes the service down."""

    def test_the_memory_for_the_report_does_not_grow_with_the_cloud(self):
        service = self.useFixture(fixtures.Application())
        self.patch(spool, "_IN_MEMORY", 100_000)
        peaks = []
        for first, last in ((0, 1000), (1000, 6000)):
            add_hosts(service, range(first, last))
            tracemalloc.start()
            answer = service.ask("GET", "/operator/providers")
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            self.assertEqual(last, len(json.loads(answer.body)["resource_providers"]))
        self.assertLess(peaks[1], 1.5 * peaks[0])


class HangUp(testtools.TestCase):
    """If it fails, each client that hangs up leaves behind a file, or as much used memory."""

    def test_a_client_that_hangs_up_leaves_no_file_of_its_answer(self):
        service = self.useFixture(fixtures.Application())
        self.patch(spool, "_IN_MEMORY", 100_000)
        add_hosts(service, range(3000))
        files = []
        make = tempfile.TemporaryFile

        def made(**options):
            # The answer is larger than what fits into memory, and now the client hangs up.
            client.close()
            files.append(make(**options))
            return files[-1]

        self.patch(tempfile, "TemporaryFile", made)
        client, server = socket.socketpair()
        self.addCleanup(server.close)
        environ = {"gunicorn.socket": server}
        answer = service.ask("GET", "/operator/providers", environ=environ)
        self.assertEqual(499, answer.status_int)
        self.assertEqual([True], [file.closed for file in files])
