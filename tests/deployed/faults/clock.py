"""The clock of the service's machine jumps, while the database's clock goes on.

The service gets a wrong time of day (wrong_clock.c), but its timers go on as before, as if somebody
had set the clock.
"""

import os
import pathlib
import shutil
import struct
import subprocess
import time
import uuid
from email import utils

import fixtures
import requests

from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service
from tests.deployed.history import traffic

_SOURCE = pathlib.Path(__file__).with_name("wrong_clock.c")
_COMPILER = shutil.which("gcc")
_HOUR = 3600


@databases.on_each_database
class ClockFaults(story.Story):
    """If a test fails, a wrong clock makes clients lose what they hold, or wait for an hour."""

    def setUp(self):
        super().setUp()
        if _COMPILER is None and not databases.REQUIRE_ALL:
            self.skipTest("gcc is not installed")
        directory = self.useFixture(fixtures.TempDir()).path
        library = os.path.join(directory, "wrong_clock.so")
        subprocess.run([_COMPILER, "-shared", "-fPIC", "-o", library, _SOURCE], check=True)
        self.offset = os.path.join(directory, "offset")
        with open(self.offset, "wb"):
            self.set_clock(0)
        lies = {"LD_PRELOAD": library, "WRONG_CLOCK": self.offset}
        service = Service(directory, lies, placement_database__connection=self.url)
        self.service = self.enterContext(service)

    def set_clock(self, seconds):
        """Make the service believe that it is this much later."""
        with open(self.offset, "r+b") as file:
            file.write(struct.pack("q", seconds))

    def believed_hours(self):
        """Return how many hours the service is ahead.

        The time that it stores with a new trait shows this.
        """
        url = f"{self.service.url}/traits/CUSTOM_{uuid.uuid4().hex.upper()}"
        written = requests.put(url, headers=traffic.HEADERS).headers["Last-Modified"]
        return round((utils.parsedate_to_datetime(written).timestamp() - time.time()) / _HOUR)

    def test_the_clock_jumps_by_an_hour_both_ways(self):
        fault = f"a clock that jumps by an hour, {self.kind}"
        with self.history(fault, [self.service.url], [self.database]):
            for hours in (1, -1, 0):
                self.set_clock(hours * _HOUR)
                time.sleep(story.SECONDS / 2)
                self.assertEqual(hours, self.believed_hours())
