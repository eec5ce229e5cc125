"""What proxies and browsers of other origins say: layers of oslo.middleware.

Both are webob's applications there, which make an absolute URL of a relative Location, with the
Host header that the client sent. Here they send it as it is.
"""

import webob
from oslo_middleware import base, cors, http_proxy_to_wsgi


class ProxyHeaders(http_proxy_to_wsgi.HTTPProxyToWSGI):
    """Middleware: the client, the site and the prefix are those that the web server names."""

    def __call__(self, environ, start_response):
        self.process_request(webob.Request(environ))
        return self.application(environ, start_response)


class CrossOrigin(cors.CORS):
    """Middleware: preflights are answered, and pages of allowed origins may read answers."""

    def __call__(self, environ, start_response):
        request = base.NoContentTypeRequest(environ)
        answer = self.process_response(request.get_response(self.application), request)
        start_response(answer.status, answer.headerlist)
        return answer.app_iter
