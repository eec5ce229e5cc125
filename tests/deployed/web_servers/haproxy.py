"""A web server in front of the service: HAProxy, with TLS, on the loopback interface."""

import contextlib
import functools
import pathlib
import shutil
import tempfile

from tests import server
from tests.deployed.web_servers import site as sites

PROGRAM = shutil.which("haproxy", path=sites.PATH)

sample_locations = functools.partial(sites.sample, "haproxy.cfg")


def shipped(placement_url, rules=""):
    """Like site(), for a service at this URL."""
    return site(sample_locations(placement_url), rules)


# The rest of the site.
ELSEWHERE = """
backend elsewhere
    mode http
    timeout connect 1s
    timeout server 1s
    http-request deny deny_status 404
"""


@contextlib.contextmanager
def site(backend, rules=""):
    """Yield the Site with the documented frontend for a backend, and stop it at the end.

    `rules` are lines of the frontend.
    """
    if PROGRAM is None:
        raise FileNotFoundError("HAProxy is not installed")
    with tempfile.TemporaryDirectory() as directory:
        sites.make_certificate(directory)
        pem = pathlib.Path(directory, "site.pem")
        pem.write_bytes(
            b"".join(pathlib.Path(directory, f"{name}.pem").read_bytes()
                     for name in ("certificate", "key"))
        )
        port = server.free_port()
        configuration = pathlib.Path(directory, "haproxy.cfg")
        configuration.write_text(_frontend(port, pem, rules) + backend)
        log = str(pathlib.Path(directory, "haproxy.log"))
        with server.process([PROGRAM, "-db", "-f", str(configuration)], log) as haproxy:
            server.wait_for(functools.partial(sites.connect, port), haproxy, log)
            yield sites.running_on(port, directory)


def _frontend(port, pem, rules):
    [frontend] = sites.recipes("web-server.rst", "frontend ")
    frontend = frontend.replace(
        "bind :443 ssl crt /etc/ssl/private/cloud.example.org.pem",
        f"bind 127.0.0.1:{port} ssl crt {pem}",
    )
    before, routing, after = frontend.partition("use_backend")
    return f"{before}{rules}\n    {routing}{after}\n    default_backend elsewhere\n{ELSEWHERE}"
