"""The processor time and memory that processes take, as psutil sees them."""

import threading
import time
from typing import NamedTuple

import psutil

SAMPLE_SECONDS = 0.02
# Processes that have taken less than this much time since the last look are idle.
IDLE_CPU_SECONDS = 0.02
IDLE_LOOK_SECONDS = 0.5

MEBIBYTE = 2**20


class Cost(NamedTuple):
    """The CPU time of all processes together, and the growth of the one that grew most."""

    cpu_seconds: float
    mebibytes: float


class Meter:
    """Context manager: watches `processes` (of psutil), including those that end meanwhile."""

    def __init__(self, processes):
        self._first = {process: _usage(process) for process in processes}
        self._time = {process: usage[0] for process, usage in self._first.items()}
        self._peak = {process: usage[1] for process, usage in self._first.items()}
        self._ended = threading.Event()
        self._sampler = threading.Thread(target=self._sample)

    def __enter__(self):
        self._sampler.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._sampler.join()

    def _sample(self):
        while not self._ended.wait(SAMPLE_SECONDS):
            for process in self._first:
                try:
                    taken, memory = _usage(process)
                except psutil.NoSuchProcess:
                    continue
                self._time[process] = taken
                self._peak[process] = max(self._peak[process], memory)

    @property
    def cost(self):
        """The Cost so far."""
        taken = sum(self._time[process] - first for process, (first, _) in self._first.items())
        growth = max(self._peak[process] - first for process, (_, first) in self._first.items())
        return Cost(taken, growth / MEBIBYTE)

    def wait_until_idle(self, most_cpu_seconds):
        """Wait until the processes have nothing left to do, or have taken too much time."""
        while (before := self.cost.cpu_seconds) < most_cpu_seconds:
            time.sleep(IDLE_LOOK_SECONDS)
            if self.cost.cpu_seconds - before < IDLE_CPU_SECONDS:
                return


def _usage(process):
    """Return (seconds of CPU, bytes of memory) of a process."""
    with process.oneshot():
        times = process.cpu_times()
        return times.user + times.system, process.memory_info().rss
