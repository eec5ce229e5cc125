"""The feed of changes: stored by the transactions that make them, and given positions afterwards.

Its HTTP resource is /operator/changes, its command is `history`, and its table is tables.changes.

Called by db/, objects/feed, handler.py and the commands.
Source: doc/explanation/changes.rst.
"""
