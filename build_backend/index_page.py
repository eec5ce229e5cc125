"""What a package index shows of the package: the README, and the URLs of its publisher.

The links of the README lead to files of a checkout, which an index does not have. They are replaced
by links to the publisher's copy of the source, or by plain text where none is named.
"""

import pathlib
import re
import tomllib

_SETTINGS = pathlib.Path(__file__).parents[1] / "pyproject.toml"

# The label of each URL as package indexes know it.
_LABELS = {"source": "Source", "changelog": "Changelog", "issues": "Issues"}

# `text <path>`_ or `<path>`_; a path has no scheme.
_LINK = re.compile(r"`(?:(?P<text>[^`<]*?)\s+)?<(?P<path>[\w./-]+)>`_")
_PICTURE = re.compile(r"^\.\. image:: (?P<path>[\w./-]+)\n(?P<options>(?: +\S.*\n)*)", re.MULTILINE)


def publisher():
    """Return the settings of whoever publishes the package: {name: URL or empty}."""
    return tomllib.loads(_SETTINGS.read_text())["tool"]["publisher"]


def urls(publisher):
    """Return {label: URL} of those that a publisher has named."""
    return {label: publisher[name] for name, label in _LABELS.items() if publisher[name]}


def metadata(content, publisher):
    """Return the core metadata of a package, as bytes, with the URLs of a publisher."""
    headers, _, body = content.decode().partition("\n\n")
    lines = [f"Project-URL: {label}, {url}" for label, url in urls(publisher).items()]
    return "\n".join([headers, *lines, "", readme(body, publisher)]).encode()


def readme(text, publisher):
    """Return a README whose links and pictures do not need the files beside it."""

    def link(found):
        if publisher["files"]:
            shown = found["text"] or found["path"]
            return f"`{shown} <{publisher['files']}{found['path']}>`__"
        return found["text"] or f"``{found['path']}``"

    def picture(found):
        if publisher["pictures"]:
            return f".. image:: {publisher['pictures']}{found['path']}\n{found['options']}"
        return ""

    return _LINK.sub(link, _PICTURE.sub(picture, text))
