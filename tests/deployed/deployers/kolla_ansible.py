"""Kolla-Ansible: uWSGI without threads in a container, HAProxy, and MariaDB over TLS."""

import json
import os
import re
import signal
import tempfile
import time
import unittest
import uuid
from concurrent import futures

import requests
import testtools

from tests import databases, server
from tests.deployed.deployers import claims, host, rolling, with_tls
from tests.deployed.servers import mariadb, unprivileged
from tests.deployed.web_servers import site
from tests.deployed.web_servers.door import Door

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}


def setUpModule():
    host.require(os.path.join(host.OUR_BIN, "uwsgi"), "uWSGI")
    if not mariadb.IS_INSTALLED and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("MariaDB is not installed")
    url, Container.certificates = unittest.enterModuleContext(with_tls.running())
    Container.server_url = url


class Container(testtools.TestCase):
    """Tests of containers that share the database at `database_url`.

    `certificates` is the directory with the certificates of the database server.
    """

    certificates = server_url = None

    def setUp(self):
        super().setUp()
        name = f"placement_{uuid.uuid4().hex[:8]}"
        url = with_tls.create(self.server_url, self.certificates, name)
        self.database_url = f"{url}?ssl_ca={self.certificates}/certificate.pem"

    def container(self, bin_directory=host.OUR_BIN, trusts_tokens=True):
        """Return the Host of a new container, configured, and the URL where it will serve."""
        port = server.free_port()
        made = host.Host(
            self.enterContext(tempfile.TemporaryDirectory()),
            bin_directory,
            connection=self.database_url,
            certificates=self.certificates,
            port=port,
        )
        made.write("kolla_ansible/placement.conf")
        if trusts_tokens:
            made.trust_tokens()
        return made, f"http://127.0.0.1:{port}"

    def bootstrap(self, container):
        status, said = container.migrate()
        self.assertEqual(0, status, said)

    @staticmethod
    def serving(container):
        settings = container.write("kolla_ansible/placement-api-uwsgi.ini")
        return container.uwsgi(settings)


class Configuration(Container):
    def test_a_bootstrap_prepares_an_empty_database_and_may_be_repeated(self):
        container, _ = self.container()
        for _ in range(2):
            self.bootstrap(container)
        status, said = container.run("placement-status", "upgrade", "check")
        self.assertEqual(0, status, said)

    def test_the_service_starts_with_all_sections_and_asks_for_a_token(self):
        container, url = self.container(trusts_tokens=False)
        self.bootstrap(container)
        with self.serving(container):
            self.assertEqual(200, requests.get(url).status_code)
            self.assertEqual(401, requests.get(f"{url}/resource_providers").status_code)
        log = (container.directory / "log" / "placement-api.log").read_text()
        self.assertIn('"GET /resource_providers" status: 401', log)

    def test_the_validator_reports_only_sections_that_the_service_does_not_read(self):
        container, _ = self.container()
        status, said = container.run(
            "oslo-config-validator",
            f"--config-file={site.SHIPPED / 'config-generator.conf'}",
            f"--input-file={container.etc / 'placement.conf'}",
        )
        self.assertEqual(1, status, said)
        sections = re.findall(r"^ERROR\S*:(\w+)/\w+ is not part of the sample", said, re.MULTILINE)
        self.assertEqual({"cache", "oslo_concurrency", "profiler"}, set(sections), said)


class BinaryLog(testtools.TestCase):
    """The database does not let the account create triggers, as in doc/how-to/deployers."""

    def test_the_bootstrap_says_that_the_other_service_must_not_write(self):
        """If it fails, an operator lets both services write, and nothing keeps the sums right."""
        directory = self.enterContext(unprivileged.directory(mariadb.ACCOUNT))
        settings = f"{mariadb.DURABLE}log_bin_trust_function_creators = OFF\n"
        database = self.enterContext(mariadb.running(directory, settings))
        container = host.Host(
            self.enterContext(tempfile.TemporaryDirectory()),
            connection=database.url,
            certificates=directory,
        )
        container.write("kolla_ansible/placement.conf")
        for command, ended in (("sync", 0), ("online_data_migrations", 0), ("share", 1)):
            status, said = container.run("placement-manage", "db", command)
            self.assertEqual(ended, status, said)
            if command != "online_data_migrations":
                self.assertIn("SET GLOBAL log_bin_trust_function_creators = 1", said)


class Serving(Container):
    def setUp(self):
        super().setUp()
        self.made, self.url = self.container()
        self.bootstrap(self.made)

    def test_requests_of_every_shape_are_answered(self):
        with self.serving(self.made):
            self.check_long_query()
            self.check_large_header()
            self.check_chunks()
            self.check_connection_closes()
        log = (self.made.directory / "log" / "placement-api-uwsgi.log").read_text()
        self.assertIn("POST /resource_providers", log)

    def check_long_query(self):
        # The router has a buffer of 32 KiB.
        racks = ",".join(str(uuid.uuid4()) for _ in range(750))
        found = requests.get(
            f"{self.url}/resource_providers?member_of=in:{racks}", headers=HEADERS, timeout=60
        )
        self.assertEqual((200, []), (found.status_code, found.json()["resource_providers"]))

    def check_large_header(self):
        headers = HEADERS | {"X-Service-Token": "x" * 20_000}
        found = requests.get(f"{self.url}/resource_providers", headers=headers, timeout=60)
        self.assertEqual(200, found.status_code)

    def check_chunks(self):
        body = json.dumps({"name": "in chunks"}).encode()
        made = requests.post(
            f"{self.url}/resource_providers",
            # A generator has no length.
            data=(bytes([byte]) for byte in body),
            headers=HEADERS | {"Content-Type": "application/json"},
            timeout=60,
        )
        self.assertEqual((200, "in chunks"), (made.status_code, made.json().get("name")), made.text)
        self.assertEqual("chunked", made.request.headers["Transfer-Encoding"])

    def check_connection_closes(self):
        answer = Door.of_service(self.url).ask("/", "Connection: keep-alive")
        self.assertIn(b"\r\nConnection: close\r\n", answer)

    def test_a_claim_that_runs_when_the_container_is_stopped_is_answered(self):
        """If it fails, each restart of a container loses claims."""
        with self.serving(self.made) as process, futures.ThreadPoolExecutor() as pool:
            one = claims.OneHost(self.url, self.database_url)
            with one.locked() as wait_for_claim:
                claim = pool.submit(one.claim)
                wait_for_claim()
                process.send_signal(signal.SIGTERM)
                time.sleep(1)
                self.assertFalse(claim.done())
            self.assertEqual(204, claim.result())
            self.assertEqual(0, process.wait(timeout=server.START_SECONDS))
        self.assertEqual((1, 1), one.used())

    def test_a_claim_whose_container_is_killed_leaves_the_books_right(self):
        """No answer is sent, and no claim may be stored in part."""
        with self.serving(self.made) as process, futures.ThreadPoolExecutor() as pool:
            one = claims.OneHost(self.url, self.database_url)
            with one.locked() as wait_for_claim:
                claim = pool.submit(one.claim)
                wait_for_claim()
                for each in (process.pid, *server.children(process.pid)):
                    os.kill(each, signal.SIGKILL)
                self.assertIsInstance(claim.exception(), requests.ConnectionError)
        self.assertIn(one.used(), [(0, 0), (1, 1)])


class Upgrade(rolling.Switch, Container):
    """From containers of openstack-placement to ours, and back, behind HAProxy."""

    def new_host(self, bin_directory):
        made, _ = self.container(bin_directory)
        return made

    def prepare(self, made):
        self.bootstrap(made)
