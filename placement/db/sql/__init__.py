"""Parts of statements, and cheaper ways to send them.

Called by every module of db/ that has statements; nothing here knows about resources.
"""
