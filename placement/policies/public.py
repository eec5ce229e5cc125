"""The paths that anyone may read, without a token: no rule guards them.

Called by middleware/, openapi/, web/ and handler.py.
"""

DESCRIPTION, DOCS, OPERATOR = "/openapi.json", "/docs", "/operator"

# The version document is for everyone, even if it is the mount point itself; so are the description
# of the API and the page for operators, which sends a token with its own requests.
_PATHS = {"/", "", DESCRIPTION, DOCS, OPERATOR, f"{OPERATOR}/"}
DIRECTORIES = (f"{DOCS}/", f"{OPERATOR}/page/")


def is_public(path):
    """Return whether anyone may read this path; nothing there comes from the database."""
    return path in _PATHS or path.startswith(DIRECTORIES)
