"""The paths that anyone may read, without a token: no rule guards them.

Called by middleware/, openapi/, web/ and handler.py.
"""

DESCRIPTION, DOCS, OPERATOR = "/openapi.json", "/docs", "/operator"

# Everyone may read the version document, even at the mount point itself (""), the description of
# the API, and the page for operators. That page sends a token with its own requests.
_PATHS = {"/", "", DESCRIPTION, DOCS, OPERATOR, f"{OPERATOR}/"}
DIRECTORIES = (f"{DOCS}/", f"{OPERATOR}/page/")


def is_public(path):
    """Return whether anyone may read this path; nothing there comes from the database."""
    return path in _PATHS or path.startswith(DIRECTORIES)
