"""Answers with an ETag: a client that already has the same content gets 304.

Only If-None-Match is looked at. These answers have no date to compare with If-Modified-Since, and
no ranges. So HTTP allows the service to ignore that header, and those about ranges, whatever they
contain.
Source: RFC 9110, 13.1.2, 13.1.3 and 14.2.
"""

import re

import webob

_TAG = re.compile('"([^"]*)"')
# A 304 has neither content nor the headers that describe content.
_OF_CONTENT = ("Content-Type", "Content-Length", "Content-Encoding")


class Response(webob.Response):
    """A response that is 304 if the request has its `etag` in If-None-Match."""

    def __call__(self, environ, start_response):
        # A client that names this ETag already has the content.
        if self._is_known(environ.get("HTTP_IF_NONE_MATCH", "")):
            # The body is closed here because nothing will read it to its end.
            close = getattr(self.app_iter, "close", None)
            self.app_iter = ()
            if close is not None:
                close()
            self.status = 304
            for name in _OF_CONTENT:
                self.headers.pop(name, None)
        return super().__call__(environ, start_response)

    def _is_known(self, condition):
        return condition.strip() == "*" or self.etag in _TAG.findall(condition)
