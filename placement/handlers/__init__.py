"""One module per resource: a handler parses, calls the objects, and answers.

What they share is in reading/, for requests, and answering/, for responses; operator/ has the
handlers of /operator. handler.py calls them.
"""
