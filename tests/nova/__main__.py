"""python -m tests.nova [COUNT]: run nova's tests, or the first COUNT, in threads and with eventlet.

NOVA_BIN is the directory of the commands of the environment in which nova is installed.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

NAMES = (pathlib.Path(__file__).parent / "choice.txt").read_text().split()
# The values of OS_NOVA_DISABLE_EVENTLET_PATCHING, which chooses between threads and eventlet.
MODES = {"threads": "True", "eventlet": "False"}


def main(count):
    """Return whether a test failed in one of the modes, which run side by side."""
    with concurrent.futures.ThreadPoolExecutor() as threads:
        return any(list(threads.map(lambda mode: _fails(mode, NAMES[:count]), MODES)))


def _fails(mode, names):
    with tempfile.TemporaryDirectory() as directory:
        run = subprocess.run(
            [os.path.join(os.environ["NOVA_BIN"], "python"), "-m", "unittest", "-v", *names],
            # The variables are as in nova's tox.ini, but with more time per test, for busy
            # machines.
            env=os.environ
            | {
                "OS_NOVA_DISABLE_EVENTLET_PATCHING": MODES[mode],
                "OS_STDOUT_CAPTURE": "1",
                "OS_STDERR_CAPTURE": "1",
                "OS_TEST_TIMEOUT": "320",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            cwd=directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    # "Ran 60 tests in 300.000s", and "OK" or what failed.
    lines = run.stdout.splitlines()
    shown = lines if run.returncode else [line for line in lines if line.startswith("Ran ")]
    sys.stdout.write("\n".join([f"nova's tests, {mode}:", *shown, ""]))
    sys.stdout.flush()
    return run.returncode != 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else None))
