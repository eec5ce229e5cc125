import fixtures as base_fixtures
import testtools
import webob

from placement.db.faults import outages
from placement.environ import REQUEST_ID
from placement.middleware import fault_wrap


class Log(testtools.TestCase):
    def test_a_database_that_cannot_serve_is_logged_in_one_line(self):
        log = self.useFixture(base_fixtures.FakeLogger())
        driver = Exception("(pymysql.err.OperationalError) (1290, 'read-only')\n[SQL: UPDATE ...]")
        fault_wrap.log(outages.Outage(outages.Reason.READ_ONLY, driver))
        [line] = log.output.splitlines()
        self.assertIn("(1290, 'read-only')", line)


class Surprises(testtools.TestCase):
    def test_an_unexpected_exception_is_answered_with_an_error_document(self):
        def application(environ, start_response):
            raise KeyError("secret")

        answer = webob.Request.blank(
            "/", environ={REQUEST_ID: "req-1", "HTTP_ACCEPT": "application/json"}
        ).get_response(fault_wrap.FaultWrapper(application))
        self.assertEqual(500, answer.status_int)
        [error] = answer.json["errors"]
        self.assertEqual("Internal Server Error", error["title"])
        self.assertNotIn("secret", error["detail"])
