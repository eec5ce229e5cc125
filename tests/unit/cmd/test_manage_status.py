"""The output of placement-manage status is the one that the reference shows."""

import pathlib
import re
import textwrap
from unittest import mock

import testtools

from placement.cmd import display, manage, manage_status
from placement.conf import connection
from placement.db.reports.capacity_report import Fill
from tests.commands import Commands

REPOSITORY = pathlib.Path(__file__).parents[3]
REFERENCE = REPOSITORY / "doc" / "reference" / "placement-manage.rst"
STATUS = {
    "database": "mysql+pymysql://placement:***@10.0.0.9/placement",
    "revision": max((REPOSITORY / "alembic" / "versions").glob("0*.py")).name[:4],
    "to_do": None,
    "shared": True,
    "servers": {"10.0.0.1": 5, "10.0.0.2": 4},
    "last_audit": {"finished_at": "2026-11-24T03:49:00+00:00", "faults": 0, "facts": 3},
    "wrong_inventories": 0,
    "hosts": 25,
}
FULLEST = [
    Fill("", "b1-gpus", "PGPU", capacity=2, used=2),
    Fill("", "b2-gpus", "PGPU", capacity=2, used=2),
    Fill("", "metal1", "CUSTOM_BAREMETAL_GOLD", capacity=1, used=1),
]


class Sample(Commands, testtools.TestCase):
    def test_the_reference_shows_what_the_command_prints(self):
        self.use_database("sqlite://")
        with (
            mock.patch.object(connection, "connect_patiently"),
            mock.patch.object(manage_status, "_state_of", return_value=(STATUS, FULLEST)),
            mock.patch.object(display, "ago", return_value="6 hours ago"),
        ):
            _, printed, _ = self.run_command(manage, "status")
        (sample,) = re.findall(
            r"^    \$ placement-manage status\n(.*?)\n^\S", REFERENCE.read_text(), re.M | re.S
        )
        self.assertEqual(printed.strip(), textwrap.dedent(sample).strip())
