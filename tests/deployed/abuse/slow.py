"""Clients that send a byte a second, through web servers that are configured as shipped."""

import concurrent.futures
import contextlib
import socket
import ssl
import statistics
import threading
import time
import urllib.parse

import requests

from tests.deployed.abuse import Row, service
from tests.deployed.web_servers import apache, nginx

CLIENTS = 50
DRIP_SECONDS = 1
LASTING_SECONDS = 20
# How many requests other clients send meanwhile, each on a new connection.
PAUSE_SECONDS = 0.05
PATIENCE_SECONDS = 10

SHIPPED = ["--config", "etc/placement/gunicorn.conf.py"]

HEADERS = b"GET /placement/traits HTTP/1.1\r\nHost: a\r\nX-Slow: "
BODY = (
    b"PUT /placement/resource_providers/5b000001-0000-4000-8000-000000000001/traits HTTP/1.1\r\n"
    b"Host: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n%b\r\n"
)
TOKEN = b"X-Auth-Token: admin\r\n"
# The amount that many web servers read ahead.
AHEAD = b'{"traits": ["' + b"x" * 32768


@contextlib.contextmanager
def deployment():
    with service.running(SHIPPED, oslo_middleware__enable_proxy_headers_parsing="true") as running:
        yield running


def through(web_server):
    """Return the `sender` for rows() that sends an opening through this web server."""

    def sender(opening):
        def send(running):
            with web_server.site(web_server.sample_locations(running.url)) as site:
                return served_meanwhile(f"{site.url}/placement", opening, site.certificate)

        return send

    return sender


def served_meanwhile(url, opening, certificate=None):
    """Return the 99th percentile of the time that other clients wait for answers.

    Each of the CLIENTS sends `opening` at once, and then a byte now and then. The service is at
    `url`; a certificate is needed for https.
    Raises: AssertionError, OSError when others are not served.
    """
    ended = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        for _ in range(CLIENTS):
            clients.submit(_drip, url, opening, certificate, ended)
        try:
            # After this pause, all clients have begun.
            time.sleep(2 * DRIP_SECONDS)
            seconds = list(_answer_seconds(url, certificate))
        finally:
            ended.set()
    return f"others: p99 {statistics.quantiles(seconds, n=100)[-1]:.3f} s"


def _drip(url, opening, certificate, ended):
    """Send `opening`, and then some bytes, on one connection after the other."""
    while not ended.is_set():
        with contextlib.suppress(OSError), _connection(url, certificate) as connection:
            connection.sendall(opening)
            while not ended.wait(DRIP_SECONDS):
                connection.sendall(b"x")


def _connection(url, certificate):
    address = urllib.parse.urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port), PATIENCE_SECONDS)
    if certificate is None:
        return connection
    context = ssl.create_default_context(cafile=certificate)
    return context.wrap_socket(connection, server_hostname=address.hostname)


def _answer_seconds(url, certificate):
    """Yield the time that each request of another client takes."""
    headers = {"X-Auth-Token": "admin"}
    end = time.monotonic() + LASTING_SECONDS
    while (start := time.monotonic()) < end:
        with requests.Session() as session:
            session.trust_env = False
            answer = session.get(
                f"{url}/resource_providers?name=none",
                headers=headers,
                verify=certificate,
                timeout=PATIENCE_SECONDS,
            )
        assert answer.status_code == 200, answer.status_code
        yield time.monotonic() - start
        time.sleep(PAUSE_SECONDS)


def rows(how, sender):
    """Return a Row for each opening; `sender` makes the function that sends it."""
    return [
        Row(
            title=f"{CLIENTS} clients that drip {what}, {how}",
            send=sender(opening),
            # Others are served within a second.
            answer=r"others: p99 0\.\d+ s",
            cpu_seconds=5,
        )
        for what, opening in (
            ("headers", HEADERS),
            ("bodies without a token", BODY % b""),
            ("bodies with a token", BODY % TOKEN),
            ("bodies with a token, after 32 KiB", BODY % TOKEN + AHEAD),
        )
    ]


ROWS = [*rows("through nginx", through(nginx)), *rows("through Apache", through(apache))]
