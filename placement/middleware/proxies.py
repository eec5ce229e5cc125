"""Headers in which a web server or proxy names the client: a layer of oslo.middleware.

In oslo.middleware, this layer is a webob application, which turns a relative Location into an
absolute URL with the client's Host header. Here, the layer sends a Location unchanged.
"""

import webob
from oslo_middleware import http_proxy_to_wsgi


class ProxyHeaders(http_proxy_to_wsgi.HTTPProxyToWSGI):
    """Middleware: takes the client, the host and the prefix from headers of the web server."""

    def __call__(self, environ, start_response):
        self.process_request(webob.Request(environ))
        return self.application(environ, start_response)
