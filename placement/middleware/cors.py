"""CORS, for pages from other origins: a layer of oslo.middleware.

In oslo.middleware, this layer is a webob application, which turns a relative Location into an
absolute URL with the client's Host header. Here, the layer sends a Location unchanged.
"""

from oslo_middleware import base, cors


class CrossOrigin(cors.CORS):
    """Middleware: answers preflights, and lets pages of allowed origins read answers."""

    def __call__(self, environ, start_response):
        request = base.NoContentTypeRequest(environ)
        answer = self.process_response(request.get_response(self.application), request)
        start_response(answer.status, answer.headerlist)
        return answer.app_iter
