"""The service as deployment projects install it, with their configuration and their commands.

A module and a directory for each project. The directory has what the project would write, in our
own words, with ${names} in place of addresses and directories. What needs a cloud, such as their
own programs, is not run. `poolers` is about the poolers that some sites put in front of a database.
Run by `make deployers`.
"""
