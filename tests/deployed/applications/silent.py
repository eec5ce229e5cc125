"""Placement's WSGI application, which may be killed between a stored write and its answer.

That happens if the file named by FEED_SILENCE exists. The file is then removed, so it happens once
for each file.
"""

import contextlib
import os
import signal

from placement.wsgi import api

_FILE = os.environ["FEED_SILENCE"]


def application(environ, start_response):
    statuses = []

    def note(status, *rest):
        statuses.append(status)
        return start_response(status, *rest)

    body = api.application(environ, note)
    if environ["REQUEST_METHOD"] != "GET" and statuses[0].startswith("20"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(_FILE)
            os.killpg(0, signal.SIGKILL)
    return body
