"""What handlers do after they have called the objects: build the response and its headers.

Called by handlers, and by web/ for its files.
"""
