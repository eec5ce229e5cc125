"""This server and a peer, if there is one, started side by side."""

import contextlib
import logging
import os

from bench.measuring.client import Client, Unexpected
from bench.running import databases, servers
from bench.running.options import positive

LOG = logging.getLogger("bench")


def add_options(parser):
    """Add to a parser the options that `start` needs, except --workers."""
    add = parser.add_argument
    add("--peer-command", default=os.environ.get("PEER"), metavar="'SCRIPT PORT URL WORKERS'",
        help="how to serve the peer: the words PORT, URL and WORKERS are replaced, and the"
             " command stays in the foreground; default: $PEER, or else there is no peer")
    add("--peer-name", default="peer", metavar="NAME",
        help="the name of the peer in tables and charts")
    add("--web-server", choices=servers.WEB_SERVERS, default="gunicorn",
        help="what serves this server; default: gunicorn")
    add("--patience", type=positive, default=60, metavar="SECONDS",
        help="how long to wait for an answer; a server that takes longer is not asked again;"
             " default: 60")
    databases.add_options(parser)


def start(options, stack):
    """Start the servers, each with its own database. Return them, this server first."""

    def this_server(port, url, _directory):
        return servers.this_server(port, url, options.workers, options.web_server)

    def peer(port, url, directory):
        return servers.peer(options.peer_command, port, url, options.workers, directory)

    launches = [("this server", this_server)]
    if options.peer_command:
        launches.append((options.peer_name, peer))
    measured = []
    for name, launch in launches:
        LOG.info("Starting %s on %s ...", name, options.engine)
        server = stack.enter_context(servers.started(name, options, launch))
        measured.append(server._replace(patience=options.patience))
    return measured


def compute_traits(measured, count):
    """Return this many traits that compute hosts report and all servers know."""
    known = []
    for server in measured:
        with contextlib.closing(Client(server.port)) as client:
            known.append(set(client.insist("GET", "/traits?name=startswith:COMPUTE_")["traits"]))
    traits = sorted(set.intersection(*known))[:count]
    if len(traits) < count:
        raise Unexpected(f"There are only {len(traits)} standard traits of compute hosts.")
    return traits
