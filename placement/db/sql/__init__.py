"""Parts of statements, and cheaper ways to send them.

Called by db/, objects/ and the commands; nothing here knows about resources.
"""
