"""Clients that send a byte a second to gunicorn itself, with the workers that may be bare."""

import contextlib

from tests.deployed.abuse import service, slow


@contextlib.contextmanager
def deployment():
    gunicorn_options = [*slow.SHIPPED, "--worker-class", "gevent"]
    with service.running(gunicorn_options) as running:
        yield running


def to_gunicorn(opening):
    """Return what sends `opening` slowly to gunicorn, as often as there are slow.CLIENTS."""

    def send(running):
        return slow.served_meanwhile(running.url, opening.replace(b" /placement/", b" /"))

    return send


ROWS = slow.rows("to gunicorn with gevent", to_gunicorn)
