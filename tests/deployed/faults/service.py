"""The service is killed, and paused, while its database goes on."""

import os
import random
import signal
import time

import fixtures

from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service


@databases.on_each_database
class ServiceFaults(story.Story):
    """If a test fails, a crash loses or tears a write, or a paused worker blocks others forever."""

    def setUp(self):
        super().setUp()
        directory = self.useFixture(fixtures.TempDir()).path
        service = Service(directory, placement_database__connection=self.url)
        self.service = self.enterContext(service)

    def around(self, fault):
        return self.history(f"{fault}, {self.kind}", [self.service.url], [self.database])

    def test_workers_are_killed_one_after_the_other(self):
        with self.around("SIGKILL of a worker"):
            deadline = time.monotonic() + story.SECONDS
            while time.monotonic() < deadline:
                os.kill(random.choice(self.service.workers()), signal.SIGKILL)
                time.sleep(random.uniform(0.5, 2))

    def test_all_processes_are_killed_and_started_again(self):
        with self.around("SIGKILL of all processes"):
            deadline = time.monotonic() + story.SECONDS
            while time.monotonic() < deadline:
                self.service.kill()
                self.service.start()
                time.sleep(random.uniform(0.5, 2))

    def test_a_worker_is_paused(self):
        with self.around("SIGSTOP of a worker"):
            worker = random.choice(self.service.workers())
            os.kill(worker, signal.SIGSTOP)
            time.sleep(story.SECONDS)
            os.kill(worker, signal.SIGCONT)

    def test_all_processes_are_paused(self):
        with self.around("SIGSTOP of all processes"):
            self.service.signal_all(signal.SIGSTOP)
            time.sleep(story.SECONDS)
            self.service.signal_all(signal.SIGCONT)
