"""DevStack: uWSGI on a unix socket, below /placement of Apache, and osc-placement."""

import functools
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import requests
import testtools

from tests import databases, server
from tests.deployed.deployers import host
from tests.deployed.web_servers import apache, site

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}


def setUpModule():
    host.require(os.path.join(host.OUR_BIN, "uwsgi"), "uWSGI")
    host.require(apache.PROGRAM or "apache2", "Apache")
    if "mysql" not in databases.reachable():
        raise unittest.SkipTest("there is no MariaDB")


class BelowPlacement(testtools.TestCase):
    """Tests of a service at /placement of a site. Attributes: url, with the prefix."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        port = server.free_port()
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        # Apache's processes connect to the socket.
        os.chmod(directory, 0o755)
        cls.host = host.Host(
            directory,
            connection=databases.create("mysql"),
            certificates=directory,
            port=port,
            user=apache.USER,
            group=apache.GROUP,
            modules=apache.MODULES,
        )
        cls.host.write("devstack/placement.conf")
        cls.host.trust_tokens()
        status, said = cls.host.run("placement-manage", "db", "sync")
        assert status == 0, said
        settings = cls.host.write("devstack/placement-uwsgi.ini")
        cls.enterClassContext(cls.host.uwsgi(settings))
        configuration = cls.host.write("devstack/apache.conf")
        log = cls.host.directory / "log" / "apache.log"
        command = [apache.PROGRAM, "-DFOREGROUND", "-f", str(configuration)]
        httpd = cls.enterClassContext(server.process(command, log))
        cls.url = f"http://127.0.0.1:{port}/placement"
        server.wait_for(functools.partial(_check, cls.url), httpd, log)

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


def _check(url):
    """Raises: OSError until the service answers through Apache."""
    if requests.get(url, timeout=5).status_code != 200:
        raise ConnectionRefusedError(url)
