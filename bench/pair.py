"""This server and a peer, if there is one, started side by side."""

import contextlib
import logging
import os
import tempfile

from bench import databases, servers
from bench.client import Client, Unexpected

LOG = logging.getLogger("bench")


def add_options(parser):
    """Let a parser take what `start` needs; also --workers is needed."""
    add = parser.add_argument
    add("--peer-command", default=os.environ.get("PEER"), metavar="'SCRIPT PORT URL WORKERS'",
        help="how to serve the peer: the words PORT, URL and WORKERS are replaced, and the"
             " command stays in the foreground; default: $PEER, or else there is no peer")
    add("--peer-name", default="peer", metavar="NAME", help="its name in what is written")
    databases.add_options(parser)


def start(options, stack):
    """Start the servers, each on a database of its own. Return them, this server first."""
    directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="placement-bench-"))
    measured = []
    for name in ("this server", options.peer_name)[: 2 if options.peer_command else 1]:
        LOG.info("Starting %s on %s ...", name, options.engine)
        url = stack.enter_context(
            databases.fresh(options.engine, options.database_server, directory)
        )
        port = servers.free_port()
        if measured:
            launch = servers.peer(options.peer_command, port, url, options.workers, directory)
        else:
            launch = servers.this_server(port, url, options.workers)
        pid = stack.enter_context(servers.running(name, launch, directory))
        measured.append(servers.Server(name, port, pid, url, databases.server_pid(url)))
    return measured


def compute_traits(measured, count):
    """Return so many traits that compute hosts report, and all servers know."""
    known = []
    for server in measured:
        with contextlib.closing(Client(server.port)) as client:
            known.append(set(client.insist("GET", "/traits?name=startswith:COMPUTE_")["traits"]))
    traits = sorted(set.intersection(*known))[:count]
    if len(traits) < count:
        raise Unexpected(f"There are only {len(traits)} standard traits of compute hosts.")
    return traits
