"""Clients that send a byte a second straight to gunicorn, whose workers need no web server."""

import contextlib

from tests.deployed.abuse import service, slow


@contextlib.contextmanager
def deployment():
    gunicorn_options = [*slow.SHIPPED, "--worker-class", "gevent"]
    with service.running(gunicorn_options) as running:
        yield running


def to_gunicorn(opening):
    """Return a function that sends `opening` slowly to gunicorn, from each of slow.CLIENTS."""

    def send(running):
        return slow.served_meanwhile(running.url, opening.replace(b" /placement/", b" /"))

    return send


ROWS = slow.rows("to gunicorn with gevent", to_gunicorn)
