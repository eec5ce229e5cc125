"""OpenStack-Ansible: uWSGI with the script of an environment, and HAProxy before it and Galera."""

import functools
import os
import sys
import tempfile
import unittest
import uuid

import requests
import sqlalchemy as sa
import testtools

from tests import databases, server
from tests.deployed import cloud
from tests.deployed.deployers import host
from tests.deployed.web_servers import haproxy, site


def setUpModule():
    host.require(os.path.join(host.OUR_BIN, "uwsgi"), "uWSGI")
    host.require(haproxy.PROGRAM or "haproxy", "HAProxy")
    if "mysql" not in databases.reachable():
        raise unittest.SkipTest("there is no MariaDB")


class Container(testtools.TestCase):
    def setUp(self):
        super().setUp()
        database = sa.make_url(databases.create("mysql"))
        galera_port = server.free_port()
        through_haproxy = database.set(host="127.0.0.1", port=galera_port)
        self.made = host.Host(
            self.enterContext(tempfile.TemporaryDirectory()),
            connection=through_haproxy.render_as_string(hide_password=False),
            environment=sys.prefix,
            port=server.free_port(),
            uwsgi_port=server.free_port(),
            galera_port=galera_port,
            database_host=database.host,
            database_port=database.port or 3306,
        )
        self.url = f"http://127.0.0.1:{self.made.values['port']}"
        self.made.write("openstack_ansible/placement.conf")
        self.balance(galera_port)
        for command in ("sync", "online_data_migrations"):
            status, said = self.made.run("placement-manage", "db", command)
            self.assertEqual(0, status, said)

    def balance(self, port):
        """Start HAProxy."""
        configuration = self.made.write("openstack_ansible/haproxy.cfg")
        log = str(self.made.directory / "log" / "haproxy.log")
        command = [haproxy.PROGRAM, "-db", "-f", str(configuration)]
        process = self.enterContext(server.process(command, log))
        server.wait_for(functools.partial(site.connect, port), process, log)

    def serve(self):
        settings = self.made.write("openstack_ansible/placement-api.ini")
        process = self.enterContext(self.made.uwsgi(settings))
        log = self.made.directory / "log" / "stdout.log"
        server.wait_for(self.check_is_up, process, log)

    def check_is_up(self):
        """Raises: OSError until HAProxy has found the service."""
        if requests.get(self.url, timeout=5).status_code != 200:
            raise ConnectionRefusedError(self.url)

    def test_the_service_asks_for_a_token(self):
        self.serve()
        self.assertEqual(401, requests.get(f"{self.url}/resource_providers").status_code)

    def test_a_claim_is_stored_through_both_of_haproxys_services(self):
        self.made.trust_tokens()
        self.serve()
        client = cloud.Client(self.url)
        provider = str(uuid.uuid4())
        client.register(provider, {"VCPU": 1})
        answers = [client.claim(str(uuid.uuid4()), provider, VCPU=1) for _ in range(2)]
        self.assertEqual([204, 409], answers)
        status, said = self.made.run("placement-status", "upgrade", "check")
        self.assertEqual(0, status, said)
