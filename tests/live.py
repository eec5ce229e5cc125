"""Run the stories of tests/gabbits against a live server, with gabbi-run and tests/stories.py.

The server is the one at $BASE_URL, or else one that is started here on a free port with an
empty database, and stopped at the end.
"""

import subprocess
import sys
import tempfile

from tests import server, stories


def main():
    with server.running() as url, tempfile.TemporaryDirectory() as directory:
        # Without TLS, the certificates need not be loaded for each request.
        options = ["--insecure"] if url.startswith("http:") else []
        return subprocess.run(
            [server.program("gabbi-run"), *options, url, "--", *stories.write(directory)],
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
