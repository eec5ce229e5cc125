import functools

import fixtures as base_fixtures
import testtools
import webob
from oslo_db import exception as db_exc
from oslo_log import formatters

from placement import exception
from placement.db.faults import outages
from placement.environ import MICROVERSION, REASON, REQUEST_ID
from placement.middleware import fault_wrap
from placement.middleware.version_negotiation import negotiated
from tests import fixtures


def ask(wrapper, error):
    """Return the request to an application that raises an error, and the answer of a wrapper."""

    def application(environ, start_response):
        raise error

    environ = {
        REQUEST_ID: "req-1",
        MICROVERSION: negotiated("placement latest"),
        "HTTP_ACCEPT": "application/json",
    }
    request = webob.Request.blank("/", environ=environ)
    return request, request.get_response(wrapper(application))


class Log(testtools.TestCase):
    def test_a_database_that_cannot_serve_is_logged_in_one_line(self):
        log = self.useFixture(base_fixtures.FakeLogger())
        driver = Exception("(pymysql.err.OperationalError) (1290, 'read-only')\n[SQL: UPDATE ...]")
        fault_wrap.log(outages.Outage(outages.Reason.READ_ONLY, driver))
        [line] = log.output.splitlines()
        self.assertIn("(1290, 'read-only')", line)

    def test_what_a_database_cannot_store_is_logged_without_the_statement(self):
        log = self.useFixture(base_fixtures.FakeLogger())
        driver = Exception("(1366, 'Incorrect string value for name')\n[SQL: INSERT ...]")
        fault_wrap.log(db_exc.DBDataError(driver))
        self.assertEqual(
            "The database cannot represent a value: (1366, 'Incorrect string value for name')\n",
            log.output,
        )


class Expected(testtools.TestCase):
    def test_a_domain_error_becomes_an_http_error(self):
        request, answer = ask(
            fault_wrap.ExpectedFaults, exception.InventoryInUse("a-uuid", ["VCPU", "PCPU"])
        )
        [error] = answer.json["errors"]
        self.assertEqual((409, "placement.inventory.inuse"), (error["status"], error["code"]))
        self.assertIn("'VCPU, PCPU' on resource provider 'a-uuid' in use", error["detail"])
        self.assertIn("'VCPU, PCPU' on resource provider 'a-uuid' in use", request.environ[REASON])

    def test_a_lost_race_is_logged_and_answered_alike(self):
        log = self.useFixture(base_fixtures.FakeLogger())
        _, answer = ask(fault_wrap.ExpectedFaults, db_exc.DBDeadlock())
        [error] = answer.json["errors"]
        self.assertEqual((409, "placement.concurrent_update"), (error["status"], error["code"]))
        self.assertEqual(f"{exception.ConcurrentUpdate.record}\n", log.output)

    def test_an_outage_is_not_logged_twice_with_its_exception(self):
        formatter = functools.partial(
            formatters.ContextFormatter, config=fixtures.configuration()
        )
        # FakeLogger uses a formatter only with a format; this one uses the configured format
        # instead.
        log = self.useFixture(
            base_fixtures.FakeLogger(format="%(message)s", formatter=formatter)
        )
        outage = outages.Outage(outages.Reason.UNREACHABLE, "no route to host")
        _, answer = ask(fault_wrap.ExpectedFaults, outage)
        self.assertEqual(503, answer.status_int)
        [line] = log.output.splitlines()
        self.assertTrue(line.endswith("The database cannot be reached. no route to host"), line)

    def test_an_unexpected_exception_is_passed_on(self):
        self.assertRaises(KeyError, ask, fault_wrap.ExpectedFaults, KeyError("surprise"))


class Surprises(testtools.TestCase):
    def test_an_unexpected_exception_is_answered_with_an_error_document(self):
        _, answer = ask(fault_wrap.FaultWrapper, KeyError("secret"))
        self.assertEqual(500, answer.status_int)
        [error] = answer.json["errors"]
        self.assertEqual("Internal Server Error", error["title"])
        self.assertNotIn("secret", error["detail"])
