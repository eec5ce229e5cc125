"""What web servers answer in place of this service, or when it crashes.

Each web server has its own form of answer; the example is from a common one.
"""

from placement.schemas import common


def _answer(server, page):
    """Return the part of a response about its body: the page of a web server."""
    examples = {server: {"value": page}}
    return {"content": {"text/html": {"schema": common.TEXT, "examples": examples}}}


TOO_LONG = _answer(
    "nginx",
    "<html>\r\n<head><title>414 Request-URI Too Large</title></head>\r\n<body>\r\n"
    "<center><h1>414 Request-URI Too Large</h1></center>\r\n<hr><center>nginx</center>\r\n"
    "</body>\r\n</html>\r\n",
)
FAILED = _answer(
    "gunicorn",
    "<html>\n  <head>\n    <title>Internal Server Error</title>\n  </head>\n  <body>\n"
    "    <h1><p>Internal Server Error</p></h1>\n    \n  </body>\n</html>\n",
)
