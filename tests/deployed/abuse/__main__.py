"""python -m tests.deployed.abuse [REGEX]: send all rows, or those whose title matches."""

import importlib
import re
import sys

import prettytable

from tests.deployed.abuse.meter import Meter

MODULES = [
    "bodies",
    "candidates",
    "operators",
    "crowds",
    "lists",
    "metrics",
    "frozen",
    "slow",
    "bare",
]

HEADER = ["what is sent", "answer", "CPU (s)", "bound (s)", "memory (MiB)", "bound (MiB)", "broken"]


def main():
    pattern = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    table = prettytable.PrettyTable(HEADER, align="r")
    table.align[HEADER[0]] = table.align[HEADER[1]] = "l"
    broken = [
        title
        for name in MODULES
        for title in _sent(importlib.import_module(f"{__package__}.{name}"), pattern, table)
    ]
    print(table)
    return f"Broken bounds: {'; '.join(broken)}" if broken else 0


def _sent(module, pattern, table):
    """Send those rows of a module that match, and add them to the table.

    Yield the titles of those that break a bound.
    """
    rows = [row for row in module.ROWS if pattern.search(row.title)]
    if not rows:
        return
    with module.deployment() as service:
        for row in rows:
            service.renew_workers()
            answer, cost = _send(row, service)
            faults = _faults(row, answer, cost)
            time, memory = f"{cost.cpu_seconds:.2f}", f"{cost.mebibytes:.0f}"
            table.add_row([row.title, answer, time, row.cpu_seconds, memory, row.mebibytes, faults])
            print(f"{row.title}: {answer}, {time} s, {memory} MiB {faults}".strip(), flush=True)
            if faults:
                yield row.title


def _send(row, service):
    """Return the outcome of a Row, and its Cost."""
    with Meter(service.workers) as meter:
        try:
            answer = row.send(service)
        except (AssertionError, OSError) as error:
            answer = f"{type(error).__name__}: {error}"
        meter.wait_until_idle(10 * row.cpu_seconds)
    return answer, meter.cost


def _faults(row, answer, cost):
    """Name the bounds that a Row has broken, for the last column."""
    faults = {
        "answer": not re.fullmatch(row.answer, answer),
        "CPU": cost.cpu_seconds > row.cpu_seconds,
        "memory": cost.mebibytes > row.mebibytes,
    }
    return ", ".join(name for name, is_broken in faults.items() if is_broken)


if __name__ == "__main__":
    sys.exit(main())
