"""The choice of providers, given all of their trees: forests and a query -> candidates; all pure.

search.py is the entry. Called by candidates/ and its rooms.
"""
