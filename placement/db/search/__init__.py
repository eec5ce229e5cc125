"""What the search for allocation candidates reads: which roots to look at, and their trees.

Called by candidates/ only.
"""
