"""python -m tests.side_by_side NAME...: run tests, those of each name in a process of its own.

Most of them spend most of their time waiting for servers. What each prints is shown when it ends.
"""

import concurrent.futures
import subprocess
import sys


def main(names):
    """Return whether a test failed."""
    with concurrent.futures.ThreadPoolExecutor(len(names)) as threads:
        runs = [threads.submit(_run, name) for name in names]
        for run in concurrent.futures.as_completed(runs):
            sys.stdout.write(run.result().stdout)
            sys.stdout.flush()
    return any(run.result().returncode for run in runs)


def _run(name):
    return subprocess.run(
        [sys.executable, "-m", "unittest", "-v", name],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
