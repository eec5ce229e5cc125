"""What web servers must not pass on, however it is spelled: a test of each recipe in the
documentation.

Run by `make live`: nginx, Apache and HAProxy, with what etc/placement has for them and the rules of
doc/how-to/page.rst, in front of gunicorn and of uWSGI. What is not installed is skipped, unless
PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import json
import os
import tempfile
import unittest
import urllib.request

import testtools

from tests import databases, server
from tests.deployed.web_servers import apache, haproxy, nginx, site, spellings
from tests.deployed.web_servers.door import Door, is_fault, said

SECRET = "host-that-nobody-may-see"
TOKEN = "X-Auth-Token: admin"
NEWEST = "OpenStack-API-Version: placement latest"

# By path: text that is in its answer, and in no other.
OPERATOR = {"/operator/": b"page/app.js", "/operator/providers": SECRET.encode()}
# The addresses in the recipes, which no test has, and those that every test has.
OPERATORS = "192.0.2.0/24"
EVERYBODY = "127.0.0.0/8"

# A service understands at least this many of the spellings. If it were fewer, little would be
# tested.
UNDERSTOOD = 150

FORGED = [
    "SCRIPT_NAME: /zzz",
    "SCRIPT_NAME: /operator",
    "SCRIPT_NAME: /placement",
    "SCRIPT_NAME: /\xff",
    "Script-Name: /zzz",
    "PATH_INFO: /zzz",
    "REMOTE_USER: admin",
    "Remote-User: admin",
    "UWSGI_SCHEME: ftp",
    "UWSGI_SCRIPT: os",
    "UWSGI_APPID: /zzz",
    "HTTPS: on",
    "X_Forwarded_Prefix: /zzz",
    "X_Forwarded-Prefix: /zzz",
    "X-Forwarded_Prefix: /zzz",
    "X-Forwarded-Prefix: /\xff",
    "X-Forwarded-Prefix: /zzz",
    "X_Forwarded_Host: zzz",
    "X_Forwarded_Proto: zzz",
    "X_Forwarded_For: zzz",
    "X-Forwarded-Host: zzz",
    "X-Forwarded-Proto: zzz",
    "X-Forwarded-Proto: \xff",
    "X-Forwarded-Protocol: ssl",
    "X-Forwarded-Ssl: off",
    "X-Forwarded-For: zzz",
    "Forwarded: host=zzz;proto=zzz",
    "X-Original-URL: /zzz",
    "X-Rewrite-URL: /zzz",
    "Proxy: zzz",
]


class UnderGunicorn:
    @staticmethod
    def serve(environment, directory):
        options = ["--config", str(site.SHIPPED / "gunicorn.conf.py"), "--workers", "1"]
        return server.gunicorn(server.APPLICATION, environment, directory, options)


class UnderUwsgi:
    @staticmethod
    def serve(environment, directory):
        if not os.path.exists(server.program("uwsgi")) and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("uWSGI is not installed")
        settings = site.SHIPPED / "uwsgi.ini"
        return server.uwsgi(settings, environment, directory, ["--processes", "1"])


class Served:
    """A service with something to hide. Attributes: service, the Door to it; url."""

    settings = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        environment = server.environment(
            metrics__enabled="true",
            metrics__listen=f"127.0.0.1:{server.free_port()}",
            placement_database__connection=f"sqlite:///{directory}/placement.db",
            **cls.settings,
        )
        cls.url = cls.enterClassContext(cls.serve(environment, directory))
        cls.service = Door.of_service(cls.url)
        urllib.request.urlopen(
            urllib.request.Request(
                f"{cls.url}/resource_providers",
                data=json.dumps({"name": SECRET}).encode(),
                headers={"X-Auth-Token": "admin", "Content-Type": "application/json"},
            )
        ).close()


    def assert_unmoved(self, door, *targets):
        """Check that the answers to these targets are the same whatever headers a client forges."""
        for target in targets:
            plain = said(door.ask(target, TOKEN, NEWEST))
            for header in FORGED:
                answer = said(door.ask(target, TOKEN, NEWEST, header))
                self.assertEqual(plain, answer, f"{target} with {header!r}")


class Refusals(Served):
    """If one fails, strangers read what only operators may.

    Attributes: web_server, a module; beginning_of_rule, of what the documentation has for it.
    """

    settings = {"oslo_middleware__enable_proxy_headers_parsing": "true"}
    settings_of_site = ()

    @classmethod
    def setUpClass(cls):
        if cls.web_server.PROGRAM is None and not databases.REQUIRE_ALL:
            raise unittest.SkipTest(f"{cls.web_server.__name__} is not installed")
        super().setUpClass()

    def site(self, rules=""):
        """Start the web server, as shipped and with these rules, and return the Door to it."""
        running = self.web_server.shipped(self.url, rules, *self.settings_of_site)
        return Door.of_site(self.enterContext(running))

    def operators_from(self, network):
        """Return the rule of the documentation that lets in operators from a network."""
        rule = site.recipes("page.rst", self.beginning_of_rule)[0]
        return site.for_service(rule.replace(OPERATORS, network), self.url)

    def shown(self, door, path, secret, *headers):
        """Return the spellings of a path that show what is secret behind a web server."""
        spelled = [each.behind_web_server() for each in spellings.of(path)]
        answers = dict(zip(spelled, door.ask_all(spelled, *headers), strict=True))
        faults = {each: answer[:200] for each, answer in answers.items() if is_fault(answer)}
        self.assertEqual({}, faults)
        return [each for each, answer in answers.items() if secret in answer]

    def understood(self, path, secret):
        """Return how many spellings of a path the service itself understands as that path."""
        spelled = [each.of_the_service() for each in spellings.of(path)]
        return sum(secret in answer for answer in self.service.ask_all(spelled, TOKEN))

    def test_no_client_reads_metrics_through_a_web_server(self):
        self.assertEqual([], self.shown(self.site(), "/metrics", b"# TYPE", TOKEN))

    def test_only_operators_reach_their_page_and_operations(self):
        refusing = self.site(self.operators_from(OPERATORS))
        allowing = self.site(self.operators_from(EVERYBODY))
        for path, secret in OPERATOR.items():
            self.assertGreater(self.understood(path, secret), UNDERSTOOD)
            # Refusals are due to the rule.
            self.assertGreater(len(self.shown(allowing, path, secret, TOKEN)), UNDERSTOOD)
            self.assertEqual([], self.shown(refusing, path, secret, TOKEN))
        self.assertIn(SECRET.encode(), refusing.ask("/placement/resource_providers", TOKEN))

    def test_clients_cannot_name_a_path_a_site_or_themselves_in_headers(self):
        door = self.site(self.operators_from(OPERATORS))
        self.assert_unmoved(
            door,
            "/placement",
            "/placement/operator/providers",
            "/placement/zzz/metrics",
            "/placement/resource_classes",
            "/placement/openapi.json",
        )
        made = b"\r\nlocation: https://127.0.0.1/placement/traits/custom_a\r\n"
        for header in FORGED:
            answer = door.ask("/placement/traits/CUSTOM_A", TOKEN, NEWEST, header, method="PUT")
            self.assertIn(made, answer.lower(), header)


class Nginx:
    web_server = nginx
    beginning_of_rule = "location ^~ /placement/operator {"

    def test_a_client_without_a_password_gets_no_token_from_the_web_server(self):
        with tempfile.NamedTemporaryFile("w", suffix=".operators") as accounts:
            accounts.write("ann:{PLAIN}right\n")
            accounts.flush()
            os.chmod(accounts.name, 0o644)
            [token] = site.recipes("page.rst", "map ")
            rule = site.recipes("page.rst", self.beginning_of_rule)[1]
            rule = rule.replace("/etc/nginx/operators", accounts.name)
            running = nginx.shipped(
                self.url, site.for_service(rule, self.url), token.replace("gAAAAAB...", "admin")
            )
            door = Door.of_site(self.enterContext(running))
            credentials = "Authorization: Basic YW5uOnJpZ2h0"
            for path, secret in OPERATOR.items():
                self.assertIn(secret, door.ask(f"/placement{path}", credentials))
                self.assertEqual([], self.shown(door, path, secret))


class Apache:
    web_server = apache
    beginning_of_rule = '<Location "/placement/operator">'


class Haproxy:
    web_server = haproxy
    beginning_of_rule = "http-request deny"


class NginxAndGunicorn(Nginx, UnderGunicorn, Refusals, testtools.TestCase):
    pass


class NginxAndUwsgi(Nginx, UnderUwsgi, Refusals, testtools.TestCase):
    pass


class ApacheAndGunicorn(Apache, UnderGunicorn, Refusals, testtools.TestCase):
    pass


class ApacheAndUwsgi(Apache, UnderUwsgi, Refusals, testtools.TestCase):
    pass


class NginxOfALaxSite(NginxAndUwsgi):
    settings_of_site = ("merge_slashes off; underscores_in_headers on;",)


class ApacheOfALaxSite(ApacheAndUwsgi):
    settings_of_site = ("AllowEncodedSlashes NoDecode\nMergeSlashes Off",)


class HaproxyAndGunicorn(Haproxy, UnderGunicorn, Refusals, testtools.TestCase):
    pass


class HaproxyAndUwsgi(Haproxy, UnderUwsgi, Refusals, testtools.TestCase):
    pass


class Alone:
    """If one fails, a service without a web server trusts a header that any client can send."""

    def test_clients_cannot_name_a_path_a_site_or_themselves_in_headers(self):
        self.assert_unmoved(
            self.service, "/", "/operator/providers", "/zzz/metrics", "/resource_classes"
        )

    def test_no_spelling_is_a_fault(self):
        for path in OPERATOR:
            spelled = [each.of_the_service() for each in spellings.of(path)]
            answers = dict(zip(spelled, self.service.ask_all(spelled, TOKEN), strict=True))
            faults = {each: answer[:200] for each, answer in answers.items() if is_fault(answer)}
            self.assertEqual({}, faults)


class GunicornAlone(Alone, UnderGunicorn, Served, testtools.TestCase):
    pass


class UwsgiAlone(Alone, UnderUwsgi, Served, testtools.TestCase):
    pass
