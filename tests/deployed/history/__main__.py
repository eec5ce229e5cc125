"""python -m tests.deployed.history FILE...: check histories that were recorded, each by itself."""

import sys

from tests.deployed.history import calls, checker


def main(paths):
    """Return whether a fault was found."""
    verdicts = [checker.check(calls.read(path)) for path in paths]
    for path, verdict in zip(paths, verdicts, strict=True):
        print(f"{path}: {verdict}")
    return any(verdict.faults for verdict in verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
