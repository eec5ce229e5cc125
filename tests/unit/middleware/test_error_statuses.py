import testtools
from oslo_db import exception as db_exc

from placement import errors, exception
from placement.db.faults import outages
from placement.middleware import error_statuses


def families(parent=exception.PlacementException):
    for child in parent.__subclasses__():
        yield child
        yield from families(child)


def code_of(error):
    return error.json_formatter.keywords["code"]


class Faults(testtools.TestCase):
    def test_every_domain_error_has_a_status(self):
        statuses = {
            exception.InvalidValue: 400,
            exception.NotFound: 404,
            exception.Conflict: 409,
            exception.ChangesExpired: 410,
            exception.TooManyReports: 429,
        }
        for error in families():
            [status] = [code for parent, code in statuses.items() if issubclass(error, parent)]
            fault = next(
                error_statuses.FAULTS[ancestor]
                for ancestor in error.__mro__
                if ancestor in error_statuses.FAULTS
            )
            self.assertEqual(status, fault.http_error.code, error)

    def test_every_error_code_has_a_fault_or_comes_with_a_query(self):
        codes = {value for name, value in vars(errors).items() if name.isupper()} - {errors.CODES}
        self.assertEqual(codes, set(errors.CODES))
        in_table = {fault.code for fault in error_statuses.FAULTS.values()}
        # The codes about queries come with the exception, not from the table.
        self.assertEqual(
            {errors.QUERY_BAD_VALUE, errors.QUERY_DUPLICATE_KEY, errors.QUERY_MISSING_VALUE},
            codes - in_table,
        )

    def test_an_exception_with_a_code_overrides_that_of_its_class(self):
        error = error_statuses.http_error(exception.BadQuery("no", code=errors.QUERY_BAD_VALUE))
        self.assertEqual((400, errors.QUERY_BAD_VALUE), (error.code, code_of(error)))

    def test_a_database_that_cannot_be_reached_is_a_503(self):
        error = error_statuses.http_error(
            db_exc.DBConnectionError(Exception("mysql://user:secret@host"))
        )
        self.assertEqual((503, "5"), (error.code, error.headers["Retry-After"]))
        self.assertNotIn("secret", str(error))

    def test_a_database_that_cannot_serve_says_why(self):
        driver = Exception("(pymysql.err.OperationalError) (1290, 'read-only')\n[SQL: UPDATE ...]")
        error = error_statuses.http_error(outages.Outage(outages.Reason.READ_ONLY, driver))
        self.assertEqual((503, "5"), (error.code, error.headers["Retry-After"]))
        self.assertIn("The database is read-only.", error.detail)

    def test_who_asks_for_too_many_reports_at_once_learns_when_to_ask_again(self):
        error = error_statuses.http_error(exception.TooManyReports())
        self.assertEqual((429, "5"), (error.code, error.headers["Retry-After"]))

    def test_a_lost_race_is_a_concurrent_update(self):
        conflict = error_statuses.understood(db_exc.DBDeadlock())
        error = error_statuses.http_error(conflict)
        self.assertEqual((409, errors.CONCURRENT_UPDATE), (error.code, code_of(error)))
        self.assertIn("Please retry your update", str(error))

    def test_a_value_that_cannot_be_stored_is_a_bad_request(self):
        error = error_statuses.http_error(db_exc.DBDataError(ValueError("NUL")))
        self.assertEqual(400, error.code)

    def test_an_unexpected_exception_is_passed_on(self):
        self.assertIsNone(error_statuses.http_error(KeyError("x")))
