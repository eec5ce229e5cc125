"""GET /docs: the API, described for people, by a viewer of the OpenAPI document.

The viewer is RapiDoc, in viewer/ with its licences; `make viewer` fetches it. Nothing comes from
elsewhere, and nothing is sent there.
"""

import functools
import importlib.resources

from placement.handlers import response
from placement.handlers.description import asked_version

# RapiDoc has styles in its elements, and takes one more from a link.
_POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline' data:; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]


def show(req):
    """GET /docs: the page, for one version of the API."""
    return response.respond_with(_page(asked_version(req)), _HEADERS)


def _show_script(name, req):
    return response.respond_with(_script(name), _HEADERS)


_SCRIPTS = ("rapidoc-min.js", "try.js")
DECLARATIONS = {
    "/docs": {"GET": show},
    "/docs/": {"GET": response.moved("/docs")},
} | {f"/docs/{name}": {"GET": functools.partial(_show_script, name)} for name in _SCRIPTS}


@functools.cache
def _page(version):
    page = _content("index.html").replace(b"VERSION", version.encode())
    return response.file(page, "text/html")


@functools.cache
def _script(name):
    return response.file(_content(name), "text/javascript")


def _content(name):
    return importlib.resources.files("placement.handlers").joinpath("viewer", name).read_bytes()
