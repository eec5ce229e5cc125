"""What handlers do after they called the objects: build the response with its headers.

Called by handlers, and by web/ for its files.
"""
