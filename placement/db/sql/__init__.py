"""Parts of statements, and cheaper ways to send them.

Called by db/ only; nothing here knows about resources.
"""
