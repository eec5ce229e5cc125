"""The feed of changes: stored by the transactions that make them, and given positions afterwards.

Called by db/, objects/feed, handler.py and the commands.
Source: doc/explanation/changes.rst.
"""
