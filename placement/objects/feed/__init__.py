"""The feed of changes: what the domain records in it, and how it is read.

Source: doc/explanation/changes.rst.
"""
