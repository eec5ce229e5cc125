"""The clouds that servers are asked about: a large one, ordinary ones, and ones with agents.

The modules also load a cloud into a server's tables, and say what answers about it must contain.
Called by the commands and by tests.
"""
