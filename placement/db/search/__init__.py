"""The queries of the search for allocation candidates: which roots to read, and their trees.

For plans, fits and explanations, holders.py reads the consumers to move, and hosts.py finds the
hosts.

Called by candidates/ only.
"""
