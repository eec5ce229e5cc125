"""What processes have cost, and how to end workers that take too long."""

import contextlib
import time

import psutil


def cpu_seconds(pid):
    """Return the CPU time of a process and all its descendants, including those that have ended."""
    return sum(sum(_times(process)) for process in [psutil.Process(pid), *_descendants(pid)])


def memory_mebibytes(pid):
    """Return the memory of the largest descendant of a process."""
    return max(process.memory_info().rss for process in _descendants(pid)) / 1024**2


def kill_workers(pid):
    """Kill the descendants of a process that have no children; it will start new ones."""
    for process in _descendants(pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            if not process.children():
                process.kill()


def _descendants(pid):
    return psutil.Process(pid).children(recursive=True)


def _times(process):
    """Return (CPU time of the process alone, user and system time of its ended children)."""
    try:
        return (_clock(process.pid), *process.cpu_times()[2:4])
    except (psutil.NoSuchProcess, OSError):
        return ()


def _clock(pid):
    """Return the CPU seconds of a process. Other clocks of Linux only count hundredths."""
    # The id of the clock, as clock_getcpuclockid(3) makes it.
    return time.clock_gettime(~pid << 3 | 2)
