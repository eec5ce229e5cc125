"""Checking a request, and reading its body and query, before a handler calls the objects.

Called by handlers/, and request.Request by handler.py.
"""
