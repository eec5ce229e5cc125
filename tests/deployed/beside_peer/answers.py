"""An exchange with both services, and how their answers differ."""

import dataclasses
import json
import re
import shlex
import urllib.parse

import requests

# The reshaper needs the second role.
HEADERS = {"X-Auth-Token": "admin", "X-Roles": "admin,service", "Accept": "application/json"}
COMPARED_HEADERS = (
    "Allow",
    "Cache-Control",
    "Content-Type",
    "Location",
    "OpenStack-API-Version",
    "Vary",
)
# A detail quotes the schema that a body does not match, and our schemas are stricter.
_QUOTED_SCHEMA = re.compile(r"(Failed validating .+? in schema\S*:) .*? (On instance)")
_NAME = "(?:[A-Z][A-Z0-9_]+|[0-9a-f-]{36})"
_LIST = re.compile(rf"\b{_NAME}(?:, {_NAME})+")
_REQUEST_ID = re.compile(r"req-[0-9a-f-]{36}")


@dataclasses.dataclass(frozen=True)
class Step:
    """A request to both services. `route` is a url of handler.ROUTE_DECLARATIONS.

    `changes` are (name, value) of unusual headers; None leaves a header out.
    """

    method: str
    route: str
    url: str
    version: int
    body: object = None
    changes: tuple = ()

    @property
    def query(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query))

    @property
    def headers(self):
        headers = HEADERS | {"OpenStack-API-Version": f"placement 1.{self.version}"}
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        headers |= dict(self.changes)
        return {name: value for name, value in headers.items() if value is not None}

    @property
    def names_a_version(self):
        """Whether the header names `version`. If not, the header itself may be what is wrong."""
        return "OpenStack-API-Version" not in dict(self.changes)

    def renamed(self, names):
        """Return the same step with other names, given as {name: new name}."""
        url, body = self.url, json.dumps(self.body)
        for name, new in names.items():
            url, body = url.replace(name, new), body.replace(name, new)
        return dataclasses.replace(self, url=url, body=json.loads(body))

    def curl(self):
        """Return the request as a line for a shell, with the address in $URL."""
        parts = [f"curl -i -X {self.method} \"$URL\"{shlex.quote(self.url)}"]
        parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in self.headers.items()]
        if self.body is not None:
            if "Content-Type" not in self.headers:
                # Otherwise, curl would send a value of its own.
                parts.append("-H 'Content-Type:'")
            parts.append(f"-d {shlex.quote(json.dumps(self.body))}")
        return " ".join(parts)


@dataclasses.dataclass(frozen=True)
class Answer:
    """The parts of an answer that are compared; lists in its body are sorted."""

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
        # Headers that a step leaves out are not sent.
        self._session.headers.clear()

    def close(self):
        self._session.close()

    def answer(self, step):
        """Return the Answer to a Step."""
        reply = self._session.request(
            step.method,
            self._url + step.url,
            headers=step.headers,
            data=None if step.body is None else json.dumps(step.body).encode(),
            timeout=60,
        )
        return Answer(reply.status_code, _comparable_headers(reply), _comparable_body(reply))


def _comparable_headers(reply):
    headers = {name: reply.headers.get(name) for name in COMPARED_HEADERS}
    if headers["Location"]:
        headers["Location"] = urllib.parse.urlsplit(headers["Location"]).path
    if headers["Content-Type"]:
        headers["Content-Type"] = headers["Content-Type"].partition(";")[0]
    # The two services answer at different times, and make their own request ids.
    for name in ("Last-Modified", "X-OpenStack-Request-Id"):
        headers[name] = name in reply.headers
    return headers


def _comparable_body(reply):
    if not reply.content:
        return None
    if reply.headers["Content-Type"] != "application/json":
        return _comparable_text(reply.text)
    body = reply.json()
    if reply.status_code < 400:
        return ordered(body)
    if "errors" in body:
        return {"errors": [_comparable_error(each, reply) for each in body["errors"]]}
    return {name: _comparable_text(text) for name, text in body.items()}


def _comparable_error(error, reply):
    names_request = error.pop("request_id") == reply.headers["X-OpenStack-Request-Id"]
    detail = _comparable_text(error["detail"])
    return error | {"detail": detail, "names its request": names_request}


def _comparable_text(text):
    """Return a text for people, without the parts that differ by design.

    The schema and the request id are removed, and the names in a list are sorted.
    """
    text = _QUOTED_SCHEMA.sub(r"\1 \2", " ".join(text.split()))
    text = _LIST.sub(lambda found: ", ".join(sorted(found[0].split(", "))), text)
    return _REQUEST_ID.sub("req-", text)


def ordered(body):
    """Return a JSON value whose lists are sorted, so that their order makes no difference."""
    if isinstance(body, dict):
        return {name: ordered(value) for name, value in body.items()}
    if isinstance(body, list):
        return sorted(map(ordered, body), key=lambda each: json.dumps(each, sort_keys=True))
    return body
