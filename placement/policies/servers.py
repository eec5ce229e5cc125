"""The servers that http: and https: checks ask, and whether anything listens there."""

import socket
from urllib import parse

from placement.policies import rule_text

# How many seconds a server may take to accept a connection.
PATIENCE = 1


def asked_by(rules):
    """Return the set of URLs that the checks of `rules`, {name: check}, query."""
    return {url for check in rules.values() for url in rule_text.urls(check)}


def unanswered(urls):
    """Return a sentence, without its full stop, about a URL where nothing listens, or None."""
    for url in sorted(urls):
        try:
            _connect(parse.urlsplit(url))
        except (OSError, ValueError) as error:
            return f"nothing answers at {url} ({error})"
    return None


def _connect(url):
    """Open and close a connection to the server of `url`, a urllib.parse.SplitResult.

    Raises: OSError if nothing listens; ValueError if the URL names no host or port.
    """
    if "%" in url.netloc:
        # Which server is asked depends on the request.
        return
    port = url.port or rule_text.PORTS[url.scheme]
    if not url.hostname:
        raise ValueError("no host")
    socket.create_connection((url.hostname, port), timeout=PATIENCE).close()
