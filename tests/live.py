"""Run the stories of tests/gabbits against a live server, with gabbi-run.

The server is the one at $BASE_URL, or else one that is started here on a free port with an
empty database, and stopped at the end.
"""

import glob
import os
import subprocess
import sys

from tests import server

STORIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gabbits", "*.yaml")


def main():
    with server.running() as url:
        # Where there is no TLS, no request need load the certificates.
        options = ["--insecure"] if url.startswith("http:") else []
        stories = sorted(glob.glob(STORIES))
        return subprocess.run(
            [server.program("gabbi-run"), *options, url, "--", *stories], check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
