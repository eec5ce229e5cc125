"""Building the response and its headers, after a handler has called the objects.

Called by handlers/, and by web/ for its files.
"""
