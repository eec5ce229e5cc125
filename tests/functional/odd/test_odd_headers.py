"""Headers that make no sense: none of them is an error of the service."""

import io
import logging

import fixtures as base_fixtures
import testtools
import webob

from tests import fixtures
from tests.functional.odd.test_odd_values import HOST, populate

# These paths need no token.
PUBLIC = (
    *("/", "", "/docs", "/docs/", "/docs/try.js", "/openapi.json", "/operator", "/operator/"),
    *("/operator/page/theme.js", "/healthcheck", "/metrics"),
)
PROTECTED = (
    *("/nowhere", "/operator/service", "/operator/providers", "/operator/capacity"),
    *("/resource_providers", f"/resource_providers/{HOST}/inventories", "/resource_classes"),
    *("/traits", "/usages?project_id=project", "/allocation_candidates?resources=VCPU:1"),
)

TEXTS = (
    *("", " ", "a", "*", "0", "-1", "9" * 30, ",,,", ";;;", '"', '""', "'", "%00", "%ff", "{}"),
    *("\x01", "\x7f", "\t", "\xe9", "\xff\xfe", "\xf0\x9f\x98\x80", "a" * 7000, "[", "[::1", ":"),
    *("[::1]:x", "a:b", "a:-1", "a:99999999", "a b", "a@b", "a/b", "a\\b", "a?b#c", "//a", "1:2:3"),
)
DATES = (
    *("Sat, 29 Oct 1994 19:43:31 GMT", "Sat, 29 Oct 99999 19:43:31 GMT", "0 Jan 0 0:0:0 GMT"),
    *("Sat, 29 Oct 1994 19:43:31 +99999999999", "31 Dec 9999 23:59:59 -9999", "1 Jan -1 GMT"),
    *("Sat, 99 Foo 1994 99:99:99 GMT", " GMT", "9" * 400 + " Jan 2000 00:00:00 GMT"),
)
RANGES = (
    *("bytes=-", "bytes=--1", "bytes=0-", "bytes=-0", "bytes=5-1", "bytes=0-" + "9" * 5000),
    *("bytes=1-2,3-4", "bytes=,", "items=1-2", "bytes=a-b", "bytes=\xb2-"),
)
TAGS = ('W/"a"', 'W/"', "W/", '"a","b"', '"a', "*, *", '"' * 501, '\\"' * 300)
MEDIA_TYPES = (
    *("application/json;q=2", "application/json;q=x", "*", "*/json", 'a/b;c="', "a/b;q="),
    *("text/plain", "text/html", "application/xml", "application/x-ndjson", "a/b," * 1000),
    *("application/json; charset=foo", "application/json; charset=\xff", "multipart/form-data"),
    *("text/html; charset=undefined", "; charset=idna", 'application/json; charset="utf-8'),
)
VERSIONS = (
    *("placement", "placement ", "placement 1", "placement 1.", "placement .", "placement 1.99"),
    *("placement -1.0", "placement 1.2.3", "placement 1.\xb2", "placement 1.1 1"),
    *(", placement 1.9", "placement " + "1" * 5000 + ".1", "compute 2.1, placement x"),
    *("placement 1.1, placement 1.2", "placement"),
)
FORWARDED = (
    *("for=", 'for="[', "proto=\x01", "host=\xff;proto=http", "host=[::1;proto=https", "proto=a b"),
    *("by=;proto=;host=", "host=a:b", "for=\xff"),
)
ODD = {
    "If-Modified-Since": DATES,
    "If-Unmodified-Since": DATES,
    "If-Range": DATES + TAGS,
    "If-Match": TAGS,
    "If-None-Match": TAGS,
    "Range": RANGES,
    "Date": DATES,
    "Accept": MEDIA_TYPES,
    "Accept-Encoding": ("gzip;q=x", "gzip;q=0", "*;q=0", "identity;q=0", "gzip," * 1000),
    "Accept-Language": (),
    "Accept-Charset": ("utf-8;q=x", "x-foo"),
    "Content-Type": MEDIA_TYPES,
    "Content-Length": ("+1", "1_0", "0x1", "\xb2", "9" * 5000),
    "Content-Encoding": ("gzip",),
    "Transfer-Encoding": ("chunked", "gzip, chunked"),
    "Cookie": ("a=b; a=b; $x=",),
    "Authorization": ("Basic !!!", "Basic /w==", "Bearer x"),
    "X-Auth-Token": ("admin", "admin:", "::", ":project", "admin:\xff"),
    "X-Service-Token": ("admin",),
    "X-Roles": ("admin,\xff",),
    "X-User-Id": (),
    "X-Project-Id": (),
    "X-Is-Admin-Project": (),
    "X-Service-Roles": (),
    "X-Identity-Status": ("Confirmed",),
    "Openstack-System-Scope": ("all",),
    "Openstack-Api-Version": VERSIONS,
    "X-Openstack-Request-Id": ("req-" + "a" * 36,),
    "Host": (),
    "Forwarded": FORWARDED,
    "X-Forwarded-For": (),
    "X-Forwarded-Host": (),
    "X-Forwarded-Proto": ("https", "https,http"),
    "X-Forwarded-Prefix": ("//evil", "/a\xff"),
    "Origin": ("http://allowed", "http://[", "null"),
    "Access-Control-Request-Method": ("GET",),
    "Access-Control-Request-Headers": ("a,b",),
}


class _ServerLog(logging.Handler):
    """Collects what is logged with a traceback."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.tracebacks = []

    def emit(self, record):
        if record.exc_info:
            self.tracebacks.append(record.getMessage())


class OddHeaders(testtools.TestCase):
    """If a test fails, anyone can fill the log with tracebacks, and probe for revealing errors."""

    def setUp(self):
        super().setUp()
        self.log = _ServerLog()
        root = logging.getLogger()
        root.addHandler(self.log)
        self.addCleanup(root.removeHandler, self.log)

    def service(self, **options):
        return self.useFixture(
            fixtures.Application(
                api__docs_page=True,
                operator__page=True,
                metrics__enabled=True,
                cors__allowed_origin=["http://allowed"],
                oslo_middleware__enable_proxy_headers_parsing=True,
                **options,
            )
        )

    def assert_answered(self, application, paths, without=(), **headers):
        """Send each odd header to a third of the paths, as a server passes it on."""
        odd = [(name, value) for name in ODD for value in TEXTS + ODD[name] if name not in without]
        wrong = []
        for number, (name, value) in enumerate(odd):
            for path in paths[number % 3 :: 3]:
                status = self.status(application, path, headers | {name: value})
                if isinstance(status, str) or status >= 500:
                    wrong.append((path, name, value[:50], status))
        self.assertEqual([], wrong)
        self.assertEqual([], self.log.tracebacks)

    def status(self, application, path, headers):
        environ = webob.Request.blank(path).environ | {"wsgi.input": io.BytesIO()}
        for name, value in headers.items():
            key = name.upper().replace("-", "_")
            environ[key if name in ("Content-Type", "Content-Length") else f"HTTP_{key}"] = value
        started = []

        def start_response(status, headers, exc_info=None):
            started.append(int(status.split()[0]))
            for header in headers:
                # Servers encode headers like this; a header with a newline would be two.
                "".join(header).encode("latin-1")
                self.assertNotRegex("".join(header), "[\0\r\n]", (path, header))

        try:
            body = application(environ, start_response)
            b"".join(body)
            if hasattr(body, "close"):
                body.close()
        except Exception as error:
            return f"{error!r}"
        return started[-1]

    def test_odd_headers_without_a_token_cause_no_500(self):
        self.assert_answered(self.service().application, PUBLIC + PROTECTED)

    def test_odd_headers_with_a_token_cause_no_500(self):
        service = self.service()
        populate(service)
        self.assert_answered(service.application, PROTECTED, **{"X-Auth-Token": "admin"})

    def test_odd_headers_with_keystone_and_no_token_cause_no_500(self):
        for name, value in (("WWW_AUTHENTICATE_URI", "http://keystone"), ("AUTH_TYPE", "none")):
            variable = f"OS_KEYSTONE_AUTHTOKEN__{name}"
            self.useFixture(base_fixtures.EnvironmentVariable(variable, value))
        service = self.service(api__auth_strategy="keystone")
        # Only keystone can judge a token, and there is none here.
        tokens = ("X-Auth-Token", "X-Service-Token")
        self.assert_answered(service.application, ("/", "/docs/", "/traits"), without=tokens)
