"""GET /operator/: a page that shows the cloud to people, with the operations below /operator.

Its files are in page/, one for each view, with the libraries that it uses and their licences; `make
page-libraries` fetches the libraries. Nothing is loaded from other sites or sent to them.
"""

import functools

from placement.handlers.answering import response
from placement.web import files

# With trusted types, a browser that supports them makes sure that no text becomes HTML or a script.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = files.headers_of_page(_POLICY)
_MEDIA_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_DIRECTORY = files.directory("page")
_DIRECTORIES = (
    "",
    "views/",
    "plans/",
    "parts/",
    "parts/charts/",
    "parts/forms/",
    "parts/history/",
    "parts/tables/",
    "lib/",
    "lib/virtual-core/",
)


def show(req):
    """GET /operator/: the page itself needs no token; its requests send one."""
    return files.respond(_index(), _HEADERS)


def _show_file(name, req):
    return files.respond(_file(name), _HEADERS)


@functools.cache
def _index():
    """Return the page, which lists its modules so that a browser need not find them one by one."""
    modules = "\n".join(
        f'<link rel="modulepreload" href="page/{name}">'
        for name in sorted(_names())
        if name.endswith(".js")
    )
    # In the file, the word MODULES stands where the links belong.
    page = _content("index.html").replace(b"MODULES", modules.encode())
    return files.file(page, "text/html")


@functools.cache
def _file(name):
    return files.file(_content(name), _MEDIA_TYPES[_ending(name)])


def _content(name):
    return _DIRECTORY.joinpath(name).read_bytes()


def _names():
    """Yield the names of the files that make up the page, with their directories."""
    for directory in _DIRECTORIES:
        for file in _DIRECTORY.joinpath(directory).iterdir():
            if _ending(file.name) in _MEDIA_TYPES:
                yield directory + file.name


def _ending(name):
    """Return the extension of a file's name, such as ".js"."""
    return name[name.rfind(".") :]


DECLARATIONS = {
    "/operator/": {"GET": show},
    "/operator": {"GET": response.moved("operator/")},
} | {
    f"/operator/page/{name}": {"GET": functools.partial(_show_file, name)} for name in _names()
}
