"""The feed of changes: what the domain records in it, and how it is read.

Called by objects/, background/, handlers/operator, openapi/ and the commands.
Source: doc/explanation/changes.rst.
"""
