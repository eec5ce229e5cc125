"""Adds the publisher's URLs; the server's pyproject.toml names them for both packages."""

import pathlib
import sys

import setuptools

BUILD_BACKEND = pathlib.Path(__file__).resolve().parents[1] / "build_backend"


def project_urls():
    # A source distribution has only this directory.
    if not BUILD_BACKEND.is_dir():
        return {}
    sys.path.append(str(BUILD_BACKEND))
    import index_page

    return index_page.urls(index_page.publisher())


setuptools.setup(project_urls=project_urls())
