"""One module per resource: each handler reads the request, calls objects/, and answers.

The handlers share code: requests/ is for what comes in, and answering/ is for what goes out.
operator/ has the handlers of /operator.

Called by handler.py; openapi/ describes them, and web/ answers as they do.
"""
