"""The service for the tests of other projects, at the import paths that they already use.

Needs what the extra `fixtures` of the package installs. Described in doc/how-to/testing.rst.
"""
