"""An exchange with both services, and how their answers differ."""

import dataclasses
import json
import urllib.parse

import requests

# The reshaper needs the second role.
HEADERS = {"X-Auth-Token": "admin", "X-Roles": "admin,service"}
COMPARED_HEADERS = (
    "Allow",
    "Cache-Control",
    "Content-Type",
    "Location",
    "OpenStack-API-Version",
    "Vary",
)


@dataclasses.dataclass(frozen=True)
class Step:
    """A request to both services. `route` is that of handler.ROUTE_DECLARATIONS."""

    method: str
    route: str
    url: str
    version: int
    body: object = None

    @property
    def query(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query))

    def curl(self):
        """Return the request as a line for a shell, with the address in $URL."""
        parts = [f"curl -i -X {self.method} \"$URL\"'{self.url}'"]
        headers = HEADERS | {"OpenStack-API-Version": f"placement 1.{self.version}"}
        parts += [f"-H '{name}: {value}'" for name, value in headers.items()]
        if self.body is not None:
            parts.append(f"-H 'Content-Type: application/json' -d '{json.dumps(self.body)}'")
        return " ".join(parts)


@dataclasses.dataclass(frozen=True)
class Answer:
    """What is compared of an answer: lists in a body are in an order of their own."""

    status: int
    headers: dict
    body: object

    def __str__(self):
        return json.dumps(dataclasses.asdict(self), sort_keys=True)


class Server:
    """One of the two services."""

    def __init__(self, url):
        self._url = url
        self._session = requests.Session()

    def close(self):
        self._session.close()

    def answer(self, step):
        """Return the Answer to a Step."""
        reply = self._session.request(
            step.method,
            self._url + step.url,
            headers=HEADERS | {"OpenStack-API-Version": f"placement 1.{step.version}"},
            json=step.body,
            timeout=60,
        )
        headers = {name: reply.headers.get(name) for name in COMPARED_HEADERS}
        if headers["Location"]:
            headers["Location"] = urllib.parse.urlsplit(headers["Location"]).path
        if headers["Content-Type"]:
            headers["Content-Type"] = headers["Content-Type"].partition(";")[0]
        # Both name a moment, but not the same one.
        headers["Last-Modified"] = "Last-Modified" in reply.headers
        body = reply.json() if reply.content else None
        if reply.status_code >= 400:
            body = [_comparable_error(each) for each in body["errors"]]
        return Answer(reply.status_code, headers, ordered(body))


def _comparable_error(error):
    """Return an error without its id and its detail, which is for people."""
    return {name: error.get(name) for name in ("status", "title", "code")}


def ordered(body):
    """Return a JSON value with the members of each list in an order that depends on them only."""
    if isinstance(body, dict):
        return {name: ordered(value) for name, value in body.items()}
    if isinstance(body, list):
        return sorted(map(ordered, body), key=lambda each: json.dumps(each, sort_keys=True))
    return body
