"""Answers come from books that are right, also where others write to the database."""


class Books:
    """Middleware: before a request is served, the Watch may look at what others have written."""

    def __init__(self, application, watch):
        self._application = application
        self._watch = watch

    def __call__(self, environ, start_response):
        self._watch.look()
        return self._application(environ, start_response)
