"""Clients in this process, and the service that answers them without a network.

Needs what the extras `direct` and `fixtures` of the package install.
"""

import contextlib
import os

from wsgi_intercept import interceptor

# Of the names of proxies, those that wsgi-intercept refuses to be installed with.
_PROXIES = ("http_proxy", "https_proxy")


class Interceptor(interceptor.RequestsInterceptor):
    """Context manager: clients built on `requests` find a WSGI application at a host.

    Also where the environment names proxies. Whether a client asks them is for it to decide.
    """

    def install_intercept(self):
        with _without_proxies():
            super().install_intercept()


@contextlib.contextmanager
def _without_proxies():
    hidden = {name: os.environ.pop(name) for name in _PROXIES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)
