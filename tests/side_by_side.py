"""python -m tests.side_by_side NAME...: run tests, those of each name in a process of its own.

Most of them spend most of their time waiting for servers. What each prints is shown when it ends,
but at once what it prints to say how far it is.
"""

import concurrent.futures
import subprocess
import sys

# Begins a line of this kind.
PROGRESS = "... "


def tell(text):
    """Say how far a test is."""
    _show([f"\n{PROGRESS}{text}\n"])


def main(names):
    """Return whether a test failed."""
    with concurrent.futures.ThreadPoolExecutor(len(names)) as threads:
        return any(list(threads.map(_run, names)))


def _run(name):
    """Return the exit status of a test."""
    lines = []
    with subprocess.Popen(
        [sys.executable, "-m", "unittest", "-v", name],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as test:
        for line in test.stdout:
            if line.startswith(PROGRESS):
                _show([line])
            else:
                lines.append(line)
    _show(lines)
    return test.returncode


def _show(lines):
    sys.stdout.writelines(lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
