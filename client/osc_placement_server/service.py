"""Requests to the placement service, and its refusals, each as one readable line.

Source: doc/how-to/openstack-command.rst.
"""

import http

from osc_lib import exceptions
from osc_placement import version

from osc_placement_server import text

# If a schema has refused a query, the service appends more to the reason, which begins like this.
_SCHEMA = "  Failed validating "


def get(app, path, query):
    """Return the JSON document at a path; `query` has (name, value) pairs.

    Raises: ClientException.
    """
    return _ask(app, "GET", path, params=list(query))


def post(app, path, body):
    """Return the JSON document that answers a body. Raises: ClientException."""
    return _ask(app, "POST", path, json=body)


def _ask(app, method, path, **content):
    """Return the JSON document that answers a request.

    The request names the microversion that the user chose or, without a choice, the newest one of
    the service. osc-placement would choose its default, 1.29, which lacks some of our options.
    Raises: ClientException.
    """
    client = app.client_manager.placement
    is_chosen = app.api_version["placement"] not in version.NEGOTIATE_VERSIONS
    response = client.request(
        method,
        path,
        version=client.api_version if is_chosen else "latest",
        raise_exc=False,
        **content,
    )
    if response.status_code == http.HTTPStatus.OK:
        document = _json(response)
        if document is not None:
            return document
    raise exceptions.ClientException(response.status_code, text.printable(_reason(response)))


def _reason(response):
    """Return one line that says why there is no usable answer."""
    if response.status_code == http.HTTPStatus.OK:
        return f"The answer of {_url(response)} is not JSON"
    if response.status_code == http.HTTPStatus.NOT_FOUND:
        return (
            f"{_url(response)} does not exist. This command needs placement-server: what answers "
            "there is openstack-placement, an older release, or no placement service"
        )
    error = _error(response)
    sentence = _sentence(error.get("detail", ""))
    title = error.get("title") or response.reason or "No reason given"
    facts = [sentence or f"{title}, from {_url(response)}"]
    # The header may also be a date.
    wait = response.headers.get("Retry-After", "")
    if wait.isdigit():
        facts.append(f"Try again in {wait} seconds.")
    if response.status_code >= 500 and "request_id" in error:
        facts.append(f"The id of the request is {error['request_id']}.")
    return " ".join(facts)


def _error(response):
    """Return the first error of an error document; {} for any other answer, such as a proxy's."""
    try:
        return dict(_json(response)["errors"][0])
    except (TypeError, KeyError, IndexError, ValueError):
        return {}


def _json(response):
    """Return the JSON object of a response, or None if it has none."""
    try:
        document = response.json()
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _sentence(detail):
    """Return the reason in a detail as one line, without what comes before and after the reason.

    The service begins each detail with the meaning of the status and an empty line.
    """
    reason = detail.partition("\n\n")[2] or detail
    return " ".join(reason.partition(_SCHEMA)[0].split())


def _url(response):
    return response.url.partition("?")[0]
