"""The queries of the search for allocation candidates: which roots to read, and their trees.

Called by candidates/ only.
"""
