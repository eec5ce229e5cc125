"""python -m tests.deployed.feed.follower FILE URL...: keep a copy of the cloud at these servers.

It is made with the program in the documentation. Each change that was reported is added to the file
as a line of JSON. When standard input ends and nothing new is reported, the copy is printed as
JSON.
"""

import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

import requests

from tests.deployed.feed.storm import HEADERS
from tests.functional.feed import documented_client

PAUSE_SECONDS = 0.2


class Followed(NamedTuple):
    """What a follower had at its end: the changes that it was sent, and {uuid: provider}.

    `reads` is how often it read the whole cloud; `failures`, how often it got no answer.
    """

    changes: list
    providers: dict
    reads: int
    failures: int


class Follower:
    """A process that follows the changes at the servers.

    At the end of the block, the attribute `followed` is set to a Followed.
    """

    def __init__(self, urls):
        self._urls = urls
        self.followed = None

    def __enter__(self):
        self._file = tempfile.NamedTemporaryFile(prefix="feed-", suffix=".jsonl")
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, self._file.name, *self._urls],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # The follower prints a line once it has read the cloud.
        self._process.stdout.readline()
        return self

    def __exit__(self, *_error):
        output, _ = self._process.communicate()
        with self._file as lines:
            changes = [json.loads(line) for line in lines]
        self.followed = Followed(changes, **json.loads(output))


def main(path, *urls):
    session = requests.Session()
    session.trust_env = False
    session.headers.update(HEADERS)
    copy = _copy(session, urls[0])
    copy.read()
    print("ready", flush=True)
    is_over = threading.Event()
    threading.Thread(target=_await_end, args=[is_over]).start()
    failures = 0
    with open(path, "w") as lines:
        # As behind a load balancer, any server may answer.
        for copy.url in itertools.cycle(urls):
            was_over = is_over.is_set()
            try:
                changes = copy.follow()
            except requests.RequestException:
                failures += 1
                continue
            lines.writelines(f"{json.dumps(change)}\n" for change in changes)
            if was_over and not changes:
                break
            time.sleep(PAUSE_SECONDS)
    json.dump({"providers": copy.providers, "reads": copy.reads, "failures": failures}, sys.stdout)


def _copy(session, url):
    class CountingCopy(documented_client.module().Copy):
        reads = 0

        def read(self):
            self.reads += 1
            super().read()

    return CountingCopy(session, url)


def _await_end(is_over):
    sys.stdin.read()
    is_over.set()


if __name__ == "__main__":
    main(*sys.argv[1:])
