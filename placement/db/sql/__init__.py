"""Parts of statements, and cheaper ways to send them.

Called by db/ only. Nothing here reads a resource; conditions.py has the conditions that several
resources need.
"""
