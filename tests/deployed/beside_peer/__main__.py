"""python -m tests.deployed.beside_peer [--steps N] [--seed N] [OURS [THEIRS]]: see the package.

OURS and THEIRS are the kinds of the databases, sqlite unless given. PEER_BIN is as for
tests/deployed/servers/peer.py.
"""

import argparse
import contextlib
import sys

from tests import databases
from tests.deployed.beside_peer import runs
from tests.deployed.beside_peer.answers import Server
from tests.deployed.beside_peer.comparison import Comparison
from tests.deployed.beside_peer.tally import Tally
from tests.deployed.servers import peer

KINDS = ("sqlite", *databases.SERVERS)


def main(arguments):
    """Return whether a documented answer that steps can get was never seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", nargs="?", default="sqlite", choices=KINDS)
    parser.add_argument("theirs", nargs="?", default="sqlite", choices=KINDS)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args(arguments)
    tally = Tally()
    with contextlib.ExitStack() as stack:
        servers = [
            stack.enter_context(contextlib.closing(Server(stack.enter_context(serving(*each)))))
            for each in ((peer.OUR_BIN, options.ours), (peer.BIN, options.theirs))
        ]
        comparison = Comparison(*servers, options.theirs, tally)
        runs.reach(comparison)
        runs.search(comparison, tally, options.steps, options.seed)
    sys.stdout.write(f"{tally}\n{tally.steps} steps, no unexplained difference\n")
    return bool(tally.never_seen())


@contextlib.contextmanager
def serving(bin_directory, kind):
    """Give the URL of a Placement of either kind, with an empty database."""
    url = databases.create(kind)
    if kind == "mysql":
        url += "?charset=utf8"
    installation = peer.Installation(bin_directory, url)
    status, printed = installation.run("placement-manage", "db", "sync")
    if status:
        sys.exit(printed)
    with installation.serving() as address:
        yield address


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
