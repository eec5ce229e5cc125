"""A server that is killed and started again, half the time between a write and its answer."""

import itertools
import os
import pathlib
import subprocess

from tests.deployed.faults.placement_service import Service

# These modules are in no package: the tests' package would remove the variables that configure the
# service.
_APPLICATIONS = pathlib.Path(__file__).parents[1] / "applications"
# In a storm, the next write comes sooner than this.
_MOST_SECONDS_TO_A_WRITE = 10


class Victim(Service):
    """`silences` is how often it stored a write that it did not answer."""

    def __init__(self, directory, **settings):
        self._silence = os.path.join(directory, "silence")
        self._ways = itertools.cycle([self.kill_after_a_write, self.kill])
        self.silences = 0
        environment = {"FEED_SILENCE": self._silence, "PYTHONPATH": str(_APPLICATIONS)}
        super().__init__(directory, environment, "silent:application", **settings)

    def die_and_return(self):
        next(self._ways)()
        self.start()

    def kill_after_a_write(self):
        open(self._silence, "w").close()
        try:
            self.process.wait(_MOST_SECONDS_TO_A_WRITE)
            self.silences += 1
        except subprocess.TimeoutExpired:
            os.remove(self._silence)
            self.kill()
