"""One module per resource: a handler parses, calls the objects, and answers.

Code that they share is in requests/, for what comes in, and in answering/, for what goes out.
operator/ has the handlers of /operator.

Called by handler.py; openapi/ describes them, and web/ answers as they do.
"""
