"""The clouds that servers are asked about: the large one, ordinary ones, and those of agents.

Also fills the tables of a server with them, and says what answers about them contain. Called by the
commands and by tests.
"""
