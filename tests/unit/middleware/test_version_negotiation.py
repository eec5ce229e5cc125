"""Which version a request is answered in. Source: doc/reference/history.rst."""

import testtools

from placement import microversion
from placement.middleware.version_negotiation import negotiated
from tests import fixtures


class NegotiatedVersion(testtools.TestCase):
    def test_a_header_names_a_version(self):
        for header, version in [
            ("", "1.0"),
            ("placement", "1.0"),
            ("1.10", "1.0"),
            ("placement1.10", "1.0"),
            ("compute 2.1", "1.0"),
            ("placement 1.10", "1.10"),
            ("PLACEMENT 1.10", "1.10"),
            ("placement latest", microversion.VERSIONS[-1]),
            ("compute 2.79, placement 1.20", "1.20"),
            ("placement 1.20,compute 2.79", "1.20"),
            ("placement 1.10, placement 1.20", "1.20"),
            ("placement 1.05", "1.5"),
        ]:
            self.assertEqual(version, str(negotiated(header)), header)

    def test_without_a_version_of_this_service_there_is_a_default(self):
        for header in ("", "compute 2.1", "1.10"):
            self.assertEqual("1.20", str(negotiated(header, "1.20")), header)
        self.assertEqual("1.10", str(negotiated("placement 1.10", "1.20")))

    def test_a_version_that_does_not_exist_is_a_value_error(self):
        for text in ["1.999", "2.0", "0.9", "-1.0"]:
            error = self.assertRaises(ValueError, negotiated, f"placement {text}")
            self.assertIn(f"Unacceptable version header: {text}", str(error))

    def test_text_that_is_not_a_version_is_a_type_error(self):
        for text in ["LATEST", "foo", "1", "1.", "1.2.3", "1.5 extra"]:
            error = self.assertRaises(TypeError, negotiated, f"placement {text}")
            self.assertIn(f"invalid version string: {text}", str(error))


class VersionedAnswers(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())

    def test_an_answer_names_its_version(self):
        answer = self.service.ask("GET", "/", version="latest")
        newest = f"placement {microversion.VERSIONS[-1]}"
        self.assertEqual(newest, answer.headers["openstack-api-version"])
        self.assertEqual("openstack-api-version", answer.headers["vary"])

    def test_an_error_of_the_router_names_its_version(self):
        answer = self.service.ask("GET", "/nowhere", version="1.7")
        self.assertEqual(404, answer.status_int)
        self.assertEqual("placement 1.7", answer.headers["openstack-api-version"])

    def test_an_unsupported_version_is_answered_with_the_supported_range(self):
        answer = self.service.ask("GET", "/nowhere", version="1.999")
        self.assertEqual(406, answer.status_int)
        self.assertNotIn("openstack-api-version", answer.headers)
        [error] = answer.json["errors"]
        known = microversion.VERSIONS[0], microversion.VERSIONS[-1]
        self.assertEqual(known, (error["min_version"], error["max_version"]))
        self.assertIn("Invalid microversion: Unacceptable version header: 1.999", error["detail"])
        self.assertNotIn("code", error)

    def test_a_malformed_version_is_a_bad_request(self):
        answer = self.service.ask("GET", "/", version="x")
        self.assertEqual(400, answer.status_int)
        [error] = answer.json["errors"]
        self.assertIn("Invalid microversion: invalid version string: x", error["detail"])
        self.assertNotIn("min_version", error)

    def test_authentication_comes_before_the_check_of_the_version(self):
        answer = self.service.ask("GET", "/nowhere", version="1.999", token=None)
        self.assertEqual(401, answer.status_int)
