"""Headers from proxies, and from browsers on other origins: layers of oslo.middleware.

In oslo.middleware, both are webob applications, which turn a relative Location into an absolute URL
with the client's Host header. Here they send a Location unchanged.
"""

import webob
from oslo_middleware import base, cors, http_proxy_to_wsgi


class ProxyHeaders(http_proxy_to_wsgi.HTTPProxyToWSGI):
    """Middleware: takes the client, the host and the prefix from headers of the web server."""

    def __call__(self, environ, start_response):
        self.process_request(webob.Request(environ))
        return self.application(environ, start_response)


class CrossOrigin(cors.CORS):
    """Middleware: answers preflights, and lets pages of allowed origins read answers."""

    def __call__(self, environ, start_response):
        request = base.NoContentTypeRequest(environ)
        answer = self.process_response(request.get_response(self.application), request)
        start_response(answer.status, answer.headerlist)
        return answer.app_iter
