"""GET /docs: a viewer that shows the OpenAPI document to people.

The viewer is RapiDoc, in viewer/ with its licences; `make viewer` fetches it. Nothing is loaded
from other sites or sent to them.

RapiDoc contains js-yaml 4.1.0, in which a merge key in a document can change a prototype
(CVE-2025-64718). No release of RapiDoc has a newer js-yaml yet. RapiDoc parses YAML only if the
document is not JSON, or has a `$ref` to another file. The document here is JSON and refers only to
itself. Because of `connect-src`, the viewer can load documents only from its own site.
"""

import functools

from placement.handlers.answering import response
from placement.web import files
from placement.web.description import asked_version

# RapiDoc has inline styles in its elements, and loads another style from a link.
_POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline' data:; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = files.headers_of_page(_POLICY)


def show(req):
    """GET /docs: the page, for one version of the API."""
    return files.respond(_page(asked_version(req)), _HEADERS)


def _show_script(name, req):
    return files.respond(_script(name), _HEADERS)


_SCRIPTS = ("rapidoc-min.js", "try.js")
DECLARATIONS = {
    "/docs": {"GET": show},
    "/docs/": {"GET": response.moved("../docs")},
} | {f"/docs/{name}": {"GET": functools.partial(_show_script, name)} for name in _SCRIPTS}


@functools.cache
def _page(version):
    page = _content("index.html").replace(b"VERSION", version.encode())
    return files.file(page, "text/html")


@functools.cache
def _script(name):
    return files.file(_content(name), "text/javascript")


def _content(name):
    return files.directory("viewer").joinpath(name).read_bytes()
