"""The feed of changes: stored by the transactions that make them, and given positions afterwards.

Source: doc/explanation/changes.rst.
"""
