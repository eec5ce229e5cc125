"""Answering with an error, and telling the request log why. Source: doc/how-to/logs.rst."""

from placement.environ import REASON


def refuse(error, environ, start_response, reason=None):
    """Answer with a webob error.

    `reason` is what the request log says, if that is not what the client reads. It must not contain
    secrets, such as tokens. A reason that is already in the environ is kept.
    """
    environ.setdefault(REASON, reason or error.detail or error.explanation)
    return error(environ, start_response)
