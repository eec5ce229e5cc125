"""What processes have cost."""

import psutil


def cpu_seconds(pid):
    """Return the CPU time of a process and all its descendants, those that have ended included."""
    return sum(sum(_times(process)) for process in [psutil.Process(pid), *_descendants(pid)])


def memory_mebibytes(pid):
    """Return the memory of the largest descendant of a process."""
    return max(process.memory_info().rss for process in _descendants(pid)) / 1024**2


def _descendants(pid):
    return psutil.Process(pid).children(recursive=True)


def _times(process):
    """(user, system, and both of the children that have ended)"""
    try:
        return process.cpu_times()[:4]
    except psutil.NoSuchProcess:
        return ()
