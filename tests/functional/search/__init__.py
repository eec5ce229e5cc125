"""The search for candidates, on rows of a database: which roots it reads, and what it finds.

What the search decides by itself is in tests/unit/candidates.
"""
