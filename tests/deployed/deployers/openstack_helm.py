"""OpenStack-Helm: a pod whose root is read-only, a job for the tables, probes, and logging.conf."""

import contextlib
import json
import os
import re
import subprocess
import tempfile
import unittest
import urllib.request

import requests
import testtools

from tests import databases, server
from tests.deployed import cloud
from tests.deployed.deployers import host, rolling

LINE = re.compile(
    r"^[-\d]+ [:\d]+\.\d+ \d+ INFO placement\.requestlog"
    r" \[None req-[-0-9a-f]+ admin admin - - - -\]"
    r' 127\.0\.0\.1 "GET /resource_providers" status: 200',
    re.MULTILINE,
)
# A mount namespace in which only what is mounted separately can be written to.
READ_ONLY = (
    *("unshare", "--mount", "sh", "-c"),
    'mount --bind / / && mount -o remount,ro,bind / && cd "$HOME" && exec "$@"',
    "sh",
)


def setUpModule():
    host.require(os.path.join(host.OUR_BIN, "uwsgi"), "uWSGI")
    if "mysql" not in databases.reachable():
        raise unittest.SkipTest("there is no MariaDB")


class Pod(testtools.TestCase):
    """Tests of pods that share the database at `database_url`."""

    def setUp(self):
        super().setUp()
        self.database_url = databases.create("mysql")

    def new_pod(self, bin_directory=host.OUR_BIN):
        """Return a Host, configured, and the URL where it will serve."""
        port = server.free_port()
        made = host.Host(
            self.enterContext(tempfile.TemporaryDirectory()),
            bin_directory,
            connection=self.database_url,
            port=port,
            stats_port=server.free_port(),
        )
        for name in ("placement.conf", "logging.conf", "policy.yaml"):
            made.write(f"openstack_helm/{name}")
        made.write("openstack_helm/snippet.conf", "placement.conf.d/snippet.conf")
        made.trust_tokens()
        return made, f"http://127.0.0.1:{port}"

    @staticmethod
    def serving(pod, prefix=()):
        return pod.uwsgi(pod.write("openstack_helm/placement-api-uwsgi.ini"), prefix)

    def run_job(self, bin_directory=host.OUR_BIN):
        pod, _ = self.new_pod(bin_directory)
        status, said = pod.run("placement-manage", "db", "sync")
        self.assertEqual(0, status, said)


class Pods(Pod):
    def setUp(self):
        super().setUp()
        self.pod, self.url = self.new_pod()

    def test_a_pod_reads_all_its_files_answers_probes_and_logs_to_standard_output(self):
        self.run_job()
        with self.serving(self.pod):
            probe = {"User-Agent": "kube-probe/1.30"}
            self.assertEqual(200, requests.get(self.url, headers=probe, timeout=60).status_code)
            self.check_snippet_and_policy()
            with urllib.request.urlopen(f"http://127.0.0.1:{self.pod.values['stats_port']}") as it:
                self.assertEqual(1, len(json.load(it)["workers"]))
        log = (self.pod.directory / "log" / "stdout.log").read_text()
        self.assertRegex(log, LINE)

    def check_snippet_and_policy(self):
        client = cloud.Client(self.url)
        for number in range(2):
            client.register(f"5a0000aa-0000-4000-8000-00000000000{number}", {"VCPU": 1})
        found = client.make("GET", "/allocation_candidates?resources=VCPU:1").json()
        self.assertEqual(1, len(found["allocation_requests"]))
        self.assertEqual(403, client.ask("GET", "/traits").status_code)
        client.make("GET", "/resource_providers")

    def test_a_pod_serves_though_nothing_can_be_written(self):
        if subprocess.run([*READ_ONLY, "true"], capture_output=True).returncode:
            self.skipTest("there are no mount namespaces")
        writes = [*READ_ONLY, "touch", f"{self.pod.directory}/file"]
        self.assertNotEqual(0, subprocess.run(writes, capture_output=True).returncode)
        self.run_job()
        with self.serving(self.pod, READ_ONLY):
            cloud.Client(self.url).register("5a0000aa-0000-4000-8000-000000000001", {"VCPU": 1})

    def test_old_and_new_pods_serve_the_same_database_while_the_job_runs_again(self):
        self.run_job()
        new, new_url = self.new_pod()
        with contextlib.ExitStack() as pods:
            pods.enter_context(self.serving(self.pod))
            self.run_job()
            pods.enter_context(self.serving(new))
            cloud.Client(self.url).make("POST", "/resource_providers", {"name": "host"})
            found = cloud.Client(new_url).make("GET", "/resource_providers").json()
        self.assertEqual(["host"], [each["name"] for each in found["resource_providers"]])


class Upgrade(rolling.Switch, Pod):
    """From pods of openstack-placement to ours, and back."""

    def new_host(self, bin_directory):
        made, _ = self.new_pod(bin_directory)
        return made

    def prepare(self, made):
        self.run_job(made.bin_directory)
