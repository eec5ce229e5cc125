"""The choice of providers, given all of their trees: forests and a query -> candidates; all pure.

Called by candidates/ and its rooms; search.py is the entry.
"""
