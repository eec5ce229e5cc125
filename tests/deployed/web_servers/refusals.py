"""What web servers must not pass on, however it is spelled: a test of each recipe in the
documentation.

Run by `make live`: nginx, Apache and HAProxy run with their files in etc/placement and the recipes
in doc/how-to, in front of gunicorn and of uWSGI, or, for Apache, with mod_wsgi. What is not
installed is skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set. SPELLINGS says in how many spellings
each forbidden path is tried.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
from typing import NamedTuple

import testtools

from tests import databases, server
from tests.deployed.servers import unprivileged
from tests.deployed.web_servers import apache, haproxy, nginx, site, spellings
from tests.deployed.web_servers.door import Door, is_fault, said

SECRET = "host-that-nobody-may-see"
TOKEN = "X-Auth-Token: admin"
NEWEST = "OpenStack-API-Version: placement latest"


class Operation(NamedTuple):
    """A request, and a text that is only in its answer. With a body, the request is a POST."""

    path: str
    text: bytes
    query: str = ""
    body: bytes = b""

    def sent(self, door, spelled, *headers):
        """Send the request with all these spellings of its path, and return {spelling: answer}."""
        targets = [each + self.query for each in spelled]
        method = "POST" if self.body else "GET"
        answers = door.ask_all(targets, NEWEST, *headers, method=method, body=self.body)
        return dict(zip(spelled, answers, strict=True))


METRICS = Operation("/metrics", b"# TYPE")
PAGE = Operation("/operator/", b"page/app.js")
PROVIDERS = Operation("/operator/providers", SECRET.encode())
CAPACITY_HISTORY = Operation("/operator/capacity/history", b'"step"')
QUERY = Operation("/operator/query", b'"ignored"', body=b'{"query": "resources=VCPU:1"}')
OPERATOR = [
    PAGE,
    PROVIDERS,
    Operation("/operator/audit", b'"used_is_sum"'),
    Operation("/operator/capacity", b'"fullest"'),
    CAPACITY_HISTORY,
    Operation("/operator/explanation", b'"relaxations"', "?resources=VCPU:1"),
    Operation("/operator/fit", b'"hosts_by_fit"', "?resources=VCPU:1"),
    Operation("/operator/evacuation", b'"possible"', f"?host={SECRET}"),
    Operation("/operator/release", b'"fits"', "?resources=VCPU:1"),
    Operation("/operator/flavors", b'"fault"'),
    Operation("/operator/survival", b'"lost"'),
    Operation("/operator/find", SECRET.encode(), f"?q={SECRET}"),
    Operation("/operator/names", b'"names"', body=b'{"ids": []}'),
    Operation("/operator/changes", b'"changes"'),
    Operation("/operator/service", b'"release"'),
    QUERY,
]
# All spellings of these are let through: a page, a list, a longer path, a POST.
SPELLED = [PAGE, PROVIDERS, CAPACITY_HISTORY, QUERY]
# The network of operators in the recipes, to which no test belongs, and a network to which every
# test belongs.
OPERATORS = "192.0.2.0/24"
EVERYBODY = "127.0.0.0/8"

# How many spellings of a path are tried where all must be refused.
SPELLINGS = int(os.environ.get("SPELLINGS", "1000"))
# A service understands more than this many of the spellings, and gets more than this many of the
# plainest through a web server. If it were fewer, little would be tested.
UNDERSTOOD = 150
PLAINEST, PASSED_ON = 400, 40

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
        _require_uwsgi()
        settings = site.SHIPPED / "uwsgi.ini"
        return server.uwsgi(settings, environment, directory, ["--processes", "1"])


class UnderGunicornAtAMountPoint:
    mount = "/placement"

    @staticmethod
    def serve(environment, directory):
        options = [*site.gunicorn_at_a_mount_point(), "--workers", "1"]
        return server.gunicorn(server.APPLICATION, environment, directory, options)


class UnderUwsgiAtAMountPoint:
    mount = "/placement"

    @staticmethod
    def serve(environment, directory):
        _require_uwsgi()
        settings = pathlib.Path(directory, "mounted.ini")
        settings.write_text(site.uwsgi_at_a_mount_point())
        return server.uwsgi(settings, environment, directory, ["--processes", "1"])


def _require_uwsgi():
    if not os.path.exists(server.program("uwsgi")) and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("uWSGI is not installed")


class Served:
    """A service with something to hide.

    service  the Door to the service
    url      its URL, without the mount point
    mount    the mount point
    """

    settings = {}
    mount = ""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The directory belongs to Apache's account, which may run the service.
        directory = cls.enterClassContext(unprivileged.directory(apache.USER))
        environment = server.environment(
            metrics__enabled="true",
            metrics__listen=f"127.0.0.1:{server.free_port()}",
            placement_database__connection=f"sqlite:///{directory}/placement.db",
            **cls.settings,
        )
        cls.start(environment, directory)

    @classmethod
    def start(cls, environment, directory):
        cls.url = cls.enterClassContext(cls.serve(environment, directory))
        cls.service = Door.of_service(cls.url)
        cls.hide(cls.service, cls.mount)

    @staticmethod
    def hide(door, prefix):
        """Create the provider that nobody may see."""
        path, body = f"{prefix}/resource_providers", json.dumps({"name": SECRET}).encode()
        [answer] = door.ask_all([path], TOKEN, method="POST", body=body)
        assert answer.startswith(b"HTTP/1.1 201"), answer

    def assert_unmoved(self, door, *targets):
        """Check that the answers to these targets are the same whatever headers a client forges."""
        for target in targets:
            plain = said(door.ask(target, TOKEN, NEWEST))
            for header in FORGED:
                answer = said(door.ask(target, TOKEN, NEWEST, header))
                self.assertEqual(plain, answer, f"{target} with {header!r}")


class Refusals(Served):
    """If a test fails, strangers read what only operators may.

    `web_server` is a module; `beginning_of_rule` is how its documented rule begins.
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

    def shown(self, door, operation, *headers, count=SPELLINGS):
        """Return the spellings of an operation's path that a web server lets through."""
        spelled = spellings.behind_web_server(operation.path, count)
        answers = operation.sent(door, spelled, *headers)
        faults = {each: answer[:200] for each, answer in answers.items() if is_fault(answer)}
        self.assertEqual({}, faults)
        return [each for each, answer in answers.items() if operation.text in answer]

    def plainly(self, door, operation):
        """Return the answer to the plain spelling of an operation's path.

        With several servers, nginx may choose one that cannot serve, and it does not repeat a POST.
        """
        path = f"/placement{operation.path}"
        [answer] = operation.sent(door, [path], TOKEN).values()
        if answer[9:12] == b"503":
            [answer] = operation.sent(door, [path], TOKEN).values()
        return answer

    def test_no_client_reads_metrics_through_a_web_server(self):
        self.assertEqual([], self.shown(self.site(), METRICS, TOKEN))

    def test_only_operators_reach_their_page_and_operations(self):
        refusing = self.site(self.operators_from(OPERATORS))
        allowing = self.site(self.operators_from(EVERYBODY))
        for operation in OPERATOR:
            # A rule that allows everybody lets this pass, so the refusals come from the rule.
            self.assertIn(operation.text, self.plainly(allowing, operation))
            self.assertEqual([], self.shown(refusing, operation, TOKEN))
        for operation in SPELLED:
            passed_on = self.shown(allowing, operation, TOKEN, count=PLAINEST)
            self.assertGreater(len(passed_on), PASSED_ON)
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
            for operation in OPERATOR:
                [answer] = operation.sent(
                    door, [f"/placement{operation.path}"], credentials
                ).values()
                self.assertIn(operation.text, answer)
                self.assertEqual([], self.shown(door, operation))


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


class Mounted:
    """The recipes by which nginx passes on the path unchanged."""

    settings = {}

    def site(self, rules=""):
        [locations] = site.recipes("web-server.rst", "location = /placement {")
        running = nginx.site(f"{site.for_service(locations, self.url)}\n{rules}")
        return Door.of_site(self.enterContext(running))

    def operators_from(self, network):
        rule = super().operators_from(network)
        return site.adapted(rule, {"/operator;": "/placement/operator;"})

    # The token is added in the same way as without a mount point.
    test_a_client_without_a_password_gets_no_token_from_the_web_server = None


class NginxAndGunicornAtAMountPoint(
    Mounted, Nginx, UnderGunicornAtAMountPoint, Refusals, testtools.TestCase
):
    pass


class NginxAndUwsgiAtAMountPoint(
    Mounted, Nginx, UnderUwsgiAtAMountPoint, Refusals, testtools.TestCase
):
    pass


class NginxAndSeveralServers(NginxAndGunicorn):
    """The recipe for several servers, one of which is gone, and one that cannot serve."""

    def site(self, rules=""):
        working = self.url.removeprefix("http://")
        gone, broken = (f"127.0.0.1:{server.free_port()}" for _ in range(2))
        several = nginx.upstream([gone, broken, working])
        locations = site.adapted(nginx.sample_locations(self.url), {working: "placement"})
        rules = rules.replace(working, "placement")
        unable = f"server {{ listen {broken}; return 503; }}"
        running = nginx.site(f"{locations}\n{rules}", f"{several}\n{unable}")
        return Door.of_site(self.enterContext(running))

    def test_the_documented_recipe_is_the_shipped_one(self):
        [recipe] = site.recipes("web-server.rst", "proxy_next_upstream ")
        shipped = (site.SHIPPED / "nginx-proxy.conf").read_text().splitlines()
        self.assertEqual([], [line for line in recipe.splitlines() if line not in shipped])

    def test_no_client_notices_the_servers_that_cannot_serve(self):
        door = self.site()
        statuses = {
            door.ask(f"/placement/traits/CUSTOM_{n}", TOKEN, NEWEST, method="PUT")[9:12]
            for n in range(12)
        }
        self.assertEqual({b"201"}, statuses)

    test_a_client_without_a_password_gets_no_token_from_the_web_server = None


class ModWsgi(Apache, Refusals, testtools.TestCase):
    """Apache serves by itself."""

    settings = {}

    @classmethod
    def setUpClass(cls):
        if not os.path.exists(apache.WSGI_MODULE):
            if os.path.exists(f"{apache.MODULES}/mod_wsgi.so"):
                raise unittest.SkipTest("mod_wsgi is for another Python")
            if not databases.REQUIRE_ALL:
                raise unittest.SkipTest("mod_wsgi is not installed")
        looks = [*unprivileged.prefix(apache.USER), "ls", *apache.python_path()]
        if subprocess.run(looks, capture_output=True).returncode:
            raise unittest.SkipTest("Apache's account cannot read this checkout")
        super().setUpClass()

    @classmethod
    def start(cls, environment, directory):
        cls.url = "http://none.example.org"
        cls.deployed = environment, directory
        with apache.with_service(*cls.deployed) as running:
            cls.hide(Door.of_site(running), "/placement")

    def site(self, rules=""):
        running = apache.with_service(*self.deployed, rules)
        return Door.of_site(self.enterContext(running))


class HaproxyAndGunicorn(Haproxy, UnderGunicorn, Refusals, testtools.TestCase):
    pass


class HaproxyAndUwsgi(Haproxy, UnderUwsgi, Refusals, testtools.TestCase):
    pass


class Alone:
    """If a test fails, a service without a web server trusts a header that any client can send."""

    def test_clients_cannot_name_a_path_a_site_or_themselves_in_headers(self):
        self.assert_unmoved(
            self.service, "/", "/operator/providers", "/zzz/metrics", "/resource_classes"
        )

    def test_the_service_understands_many_spellings_and_none_is_a_fault(self):
        for operation in SPELLED:
            spelled = spellings.of_the_service(operation.path)
            answers = operation.sent(self.service, spelled, TOKEN)
            faults = {each: answer[:200] for each, answer in answers.items() if is_fault(answer)}
            self.assertEqual({}, faults)
            understood = sum(operation.text in answer for answer in answers.values())
            self.assertGreater(understood, UNDERSTOOD)


class GunicornAlone(Alone, UnderGunicorn, Served, testtools.TestCase):
    pass


class UwsgiAlone(Alone, UnderUwsgi, Served, testtools.TestCase):
    pass
