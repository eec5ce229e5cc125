"""Answering with an error, and telling the request log why. Source: doc/how-to/logs.rst."""

from placement.environ import REASON


def refuse(error, environ, start_response, reason=None):
    """Answer with a webob error.

    `reason` is for the log, if that should say something other than what the client reads; it must
    not contain secrets, such as tokens. A reason that the environ already has is kept.
    """
    environ.setdefault(REASON, reason or error.detail or error.explanation)
    return error(environ, start_response)
