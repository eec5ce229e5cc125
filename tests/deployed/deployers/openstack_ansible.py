"""OpenStack-Ansible: uWSGI runs a script from a virtual environment, behind HAProxy.

HAProxy also stands in front of Galera.
"""

import os
import tempfile
import unittest
import uuid

import requests
import sqlalchemy as sa
import testtools

from tests import databases, server
from tests.deployed import cloud
from tests.deployed.deployers import host, rolling
from tests.deployed.servers import peer
from tests.deployed.web_servers import haproxy


def setUpModule():
    host.require(os.path.join(host.OUR_BIN, "uwsgi"), "uWSGI")
    host.require(haproxy.PROGRAM or "haproxy", "HAProxy")
    if "mysql" not in databases.reachable():
        raise unittest.SkipTest("there is no MariaDB")


class Container(testtools.TestCase):
    """Tests of containers behind HAProxy that share the database at `database_url`."""

    def setUp(self):
        super().setUp()
        self.database_url = databases.create("mysql")
        self.galera_port = server.free_port()

    def new_host(self, bin_directory=host.OUR_BIN):
        """Return the Host of a container, configured."""
        database = sa.make_url(self.database_url).set(host="127.0.0.1", port=self.galera_port)
        made = host.Host(
            self.enterContext(tempfile.TemporaryDirectory()),
            bin_directory,
            connection=database.render_as_string(hide_password=False),
            environment=os.path.dirname(bin_directory),
            script=script(bin_directory),
        )
        made.write("openstack_ansible/placement.conf")
        return made

    def haproxy(self):
        """Run the project's HAProxy in front of two containers, and of the database."""
        database = sa.make_url(self.database_url)
        return rolling.balancing(
            "openstack_ansible/haproxy.cfg",
            galera_port=self.galera_port,
            database_host=database.host,
            database_port=database.port or 3306,
        )

    def prepare(self, made):
        status, said = made.migrate()
        self.assertEqual(0, status, said)

    @staticmethod
    def serving(made):
        return made.uwsgi(made.write("openstack_ansible/placement-api.ini"))


class Serving(Container):
    """One container serves. HAProxy notices that the other one is down."""

    def setUp(self):
        super().setUp()
        balancer = self.enterContext(self.haproxy())
        self.url = balancer.url
        self.made = self.new_host()
        self.made.values["port"] = balancer.ports[0]
        self.prepare(self.made)

    def serve(self):
        process = self.enterContext(self.serving(self.made))
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


class Upgrade(rolling.Switch, Container):
    """From containers of openstack-placement to ours, and back."""

    def new_host(self, bin_directory):
        made = super().new_host(bin_directory)
        made.trust_tokens()
        return made

    def balancing(self):
        return self.haproxy()


def script(bin_directory):
    """Return what uWSGI loads: openstack-placement has no script since its release 15."""
    if bin_directory == host.OUR_BIN:
        return os.path.join(bin_directory, "placement-api")
    return os.path.join(peer.packages(), "placement", "wsgi", "api.py")
