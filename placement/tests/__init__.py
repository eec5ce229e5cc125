"""The service for the tests of other projects, at the import paths that they already use.

This needs the extra `fixtures` of the package. doc/how-to/testing.rst describes how to use it.
"""
