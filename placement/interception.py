"""Lets clients in this process reach the service without a network.

This needs the extra `direct` or `fixtures` of the package.
"""

import contextlib
import os

from wsgi_intercept import interceptor

# The environment variables for proxies. While either is set, wsgi-intercept cannot be installed.
_PROXIES = ("http_proxy", "https_proxy")


class Interceptor(interceptor.RequestsInterceptor):
    """Context manager: clients built on `requests` reach a WSGI application at a host.

    It can be used even if the environment names proxies. The clients decide whether to use these
    proxies.
    """

    def install_intercept(self):
        with _without_proxies():
            super().install_intercept()


@contextlib.contextmanager
def _without_proxies():
    """Context manager: hide the lower-case variables for proxies from the code inside."""
    hidden = {name: os.environ.pop(name) for name in _PROXIES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)
