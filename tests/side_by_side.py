"""python -m tests.side_by_side NAME...: run tests, those of each name in its own process.

Most tests spend most of their time waiting for servers. The output of each is shown when it ends,
except for lines about its progress, which are shown at once.
"""

import concurrent.futures
import subprocess
import sys

# The beginning of such a line.
PROGRESS = "... "


def tell(text):
    """Print how far a test is."""
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
