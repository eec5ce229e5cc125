"""Ending the work on a request whose client has hung up.

Source: doc/reference/differences.rst.
"""

import select

import webob.exc

# POLLRDHUP, which Linux has, is reported even while a part of the request is still unread.
_ENDED = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


class ClientClosedRequest(webob.exc.HTTPClientError):
    """Only the log shows this error; its status number is the one that nginx uses."""

    code = 499
    title = "Client Closed Request"
    explanation = "The client closed the connection before it was answered."


def check(environ):
    """Raise ClientClosedRequest if the client (or proxy) has closed its end of the connection.

    Only gunicorn and uWSGI give access to the connection. Under other servers, it always counts as
    open.
    """
    descriptor = _descriptor(environ)
    if descriptor is not None and _has_ended(descriptor):
        raise ClientClosedRequest()


def _descriptor(environ):
    """Return the file descriptor of the client's connection; None if the server hides it."""
    if "gunicorn.socket" in environ:
        return environ["gunicorn.socket"].fileno()
    if "uwsgi.version" in environ:
        # This module exists only inside uWSGI.
        import uwsgi

        return uwsgi.connection_fd()
    return None


def _has_ended(descriptor):
    watched = select.poll()
    watched.register(descriptor, _ENDED)
    return bool(watched.poll(0))
