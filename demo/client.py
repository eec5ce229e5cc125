"""One client of a Placement API, for a server that trusts its token and roles (noauth2)."""

import json
import urllib.error
import urllib.request

# Where `make serve` serves.
DEFAULT_URL = "http://127.0.0.1:8778"

TOKEN = "admin"
HEADERS = {
    "OpenStack-API-Version": "placement 1.39",
    "Content-Type": "application/json",
    "Accept": "application/json",
}


class Refused(Exception):
    """A server answered with an error: a sentence."""

    def __init__(self, method, path, status, text):
        super().__init__(f"{method} {path}: {status} {text}")
        self.status = status


class Client:
    """`token` is that of a user, or user:project; the server trusts it, and its role."""

    def __init__(self, url, token=TOKEN):
        self._url = url
        self._headers = HEADERS | {"X-Auth-Token": token, "X-Roles": "admin"}

    def acting(self, token):
        """Return the client of another user of the same server."""
        return Client(self._url, token)

    def get(self, path):
        return self._ask("GET", path)

    def put(self, path, document=None):
        return self._ask("PUT", path, document)

    def post(self, path, document):
        return self._ask("POST", path, document)

    def delete(self, path):
        """Delete something; do nothing if it is gone already, or in use by now."""
        try:
            self._ask("DELETE", path)
        except Refused as refusal:
            if refusal.status not in (404, 409):
                raise

    def _ask(self, method, path, document=None):
        """Return the document in the answer, or None if there is none.

        Raises: Refused; OSError if there is no server.
        """
        body = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(self._url + path, body, self._headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(method, path, error.code, error.read().decode()) from error
        return json.loads(text) if text else None
