"""DevStack: uWSGI on a unix socket, below /placement of Apache, and osc-placement."""

import contextlib
import functools
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

import requests
import testtools

from tests import databases, server
from tests.deployed.deployers import host, rolling
from tests.deployed.web_servers import apache, site

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}


def setUpModule():
    host.require(os.path.join(host.OUR_BIN, "uwsgi"), "uWSGI")
    host.require(apache.PROGRAM or "apache2", "Apache")
    if "mysql" not in databases.reachable():
        raise unittest.SkipTest("there is no MariaDB")


class BelowPlacement(testtools.TestCase):
    """Tests of a service at /placement of a site; `url` includes this prefix."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.host = new_host(directory, databases.create("mysql"), port=server.free_port())
        status, said = cls.host.run("placement-manage", "db", "sync")
        assert status == 0, said
        cls.enterClassContext(serving(cls.host))
        cls.url = _url(cls.host)

    def ask(self, method, path, **options):
        options["headers"] = HEADERS | options.get("headers", {})
        return requests.request(method, self.url + path, timeout=60, **options)

    def test_the_version_document_is_served_with_and_without_a_slash(self):
        for path in ("", "/"):
            self.assertEqual(200, self.ask("GET", path).status_code)

    def test_links_and_locations_have_the_prefix(self):
        made = self.ask("POST", "/resource_providers", json={"name": "linked"})
        self.assertEqual(200, made.status_code)
        path = f"/placement/resource_providers/{made.json()['uuid']}"
        self.assertEqual(path, made.json()["links"][0]["href"])
        self.assertEqual(f"{self.url[:-10]}{path}", made.headers["Location"])

    def test_apache_refuses_a_body_in_chunks(self):
        """doc/how-to/deployers/devstack.rst says so; this service does not decide it."""
        chunks = iter([b'{"name": ', b'"in chunks"}'])
        answer = requests.post(f"{self.url}/resource_providers", data=chunks, timeout=60)
        self.assertEqual(411, answer.status_code)

    def test_a_query_of_seven_thousand_characters_is_answered(self):
        racks = "5a0000aa-0000-4000-8000-000000000001," * 190
        found = self.ask("GET", f"/resource_providers?member_of=in:{racks[:-1]}")
        self.assertEqual(200, found.status_code)

    def test_the_openstack_command_finds_the_service(self):
        arguments = ["--os-auth-type", "admin_token", "--os-token", "admin", "--os-endpoint"]
        done = subprocess.run(
            [self.host.program("openstack"), *arguments, self.url]
            + ["resource", "provider", "create", "from-the-command", "-f", "value", "-c", "name"],
            env=self.host.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertEqual("from-the-command\n", done.stdout)


class Tree(testtools.TestCase):
    def test_the_name_of_the_distribution_is_found_as_devstack_looks_for_it(self):
        text = pathlib.Path(site.CHECKOUT, "setup.cfg").read_text()
        self.assertEqual(
            ["placement-server"], re.findall(r"^name = (.*)$", text, re.MULTILINE)
        )


class Upgrade(rolling.Switch, testtools.TestCase):
    """From openstack-placement to ours, and back, on two machines that DevStack has set up."""

    prefix = "/placement"

    def setUp(self):
        super().setUp()
        self.database_url = databases.create("mysql")

    def new_host(self, bin_directory):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        return new_host(directory, self.database_url, bin_directory)

    def prepare(self, made):
        status, said = made.run("placement-manage", "db", "sync")
        self.assertEqual(0, status, said)

    @staticmethod
    def serving(made):
        return serving(made)


def new_host(directory, database_url, bin_directory=host.OUR_BIN, **values):
    """Return a Host in a directory, configured."""
    # Apache's processes connect to the socket.
    os.chmod(directory, 0o755)
    made = host.Host(
        directory,
        bin_directory,
        connection=database_url,
        certificates=directory,
        user=apache.USER,
        group=apache.GROUP,
        modules=apache.MODULES,
        **values,
    )
    made.write("devstack/placement.conf")
    made.trust_tokens()
    return made


@contextlib.contextmanager
def serving(made):
    """Run uWSGI, and Apache in front of it, until the end of the block; Apache ends first."""
    configuration = made.write("devstack/apache.conf")
    log = made.directory / "log" / "apache.log"
    command = [apache.PROGRAM, "-DFOREGROUND", "-f", str(configuration)]
    with (
        made.uwsgi(made.write("devstack/placement-uwsgi.ini")),
        server.process(command, log) as httpd,
    ):
        server.wait_for(functools.partial(_check, _url(made)), httpd, log)
        yield
        httpd.send_signal(signal.SIGWINCH)
        httpd.wait(server.START_SECONDS)


def _url(made):
    return f"http://127.0.0.1:{made.values['port']}/placement"


def _check(url):
    """Raises: OSError until the service answers through Apache."""
    if requests.get(url, timeout=5).status_code != 200:
        raise ConnectionRefusedError(url)
