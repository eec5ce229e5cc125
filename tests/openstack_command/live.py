"""The `openstack` program, and a live server with the demo cloud, at $BASE_URL if that is set."""

import json
import os
import shlex
import subprocess
import unittest

from demo import client, loading
from tests import server

# There is no room for this request: the only free GPU lacks the trait.
GPU = (
    "--group _CPU --resource VCPU=8 --group _GPU --resource PGPU=1 --required CUSTOM_GPU_A100"
    " --same-subtree _CPU,_GPU"
)


def openstack(url, command):
    """Run a command for the Placement at a URL. Return the CompletedProcess."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    return subprocess.run(
        [server.program("openstack"), *shlex.split(command)],
        env=clean | {"OS_AUTH_TYPE": "admin_token", "OS_TOKEN": "admin", "OS_ENDPOINT": url},
        capture_output=True,
        text=True,
        check=False,
    )


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.url = cls.enterClassContext(server.running())
        demo = client.Client(cls.url)
        loading.load(demo)
        cls.addClassCleanup(loading.clean, demo)

    def rows(self, command):
        """Return the exit status of a command, its rows (parsed from JSON), and its sentences."""
        ended = openstack(self.url, f"{command} -f json")
        return ended.returncode, json.loads(ended.stdout), ended.stderr

    def test_the_missing_gpu_is_explained(self):
        status, rows, summary = self.rows(f"allocation candidate explain {GPU} --show changes")
        self.assertEqual(1, status)
        self.assertEqual(
            [("required", "CUSTOM_GPU_A100", "drop it", "b3")],
            [(row["constraint"], row["value"], row["change"], row["example"]) for row in rows],
        )
        self.assertIn("lack CUSTOM_GPU_A100", summary)

    def test_the_request_fits_without_the_trait(self):
        without = GPU.replace("--required CUSTOM_GPU_A100", "")
        status, rows, _ = self.rows(f"allocation candidate fit {without}")
        self.assertEqual((0, ["b3"]), (status, [row["name"] for row in rows]))

    def test_inventories_add_up_to_the_capacity(self):
        _, sums, _ = self.rows("resource provider capacity")
        _, inventories, _ = self.rows("resource provider whole list --show inventories")
        for each in sums:
            used = [
                row["used"]
                for row in inventories
                if row["resource_class"] == each["resource_class"]
            ]
            self.assertEqual((each["used"], each["providers"]), (sum(used), len(used)))

    def test_the_ledger_of_the_demo_is_right(self):
        status, _, verdict = self.rows("placement audit")
        self.assertEqual(0, status)
        self.assertIn("The ledger is right", verdict)

    def test_one_line_says_that_there_is_no_server(self):
        ended = openstack(f"http://127.0.0.1:{server.free_port()}", "placement audit")
        self.assertEqual((1, ""), (ended.returncode, ended.stdout))
        self.assertEqual(1, len(ended.stderr.splitlines()), ended.stderr)
