"""One module per resource: a handler parses, calls the objects, and answers.

Shared code is in reading/ for requests, and in answering/ for responses; operator/ has the handlers
of /operator.

Called by handler.py; openapi/ describes them, and web/ answers as they do.
"""
