"""What handlers do before they call the objects: check the request, and read its body and query.

Called by handlers, and request.Request by handler.Dispatcher.
"""
