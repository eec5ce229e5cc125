"""The service where deployment projects put it: their configuration, and their commands.

A module and a directory for each project. The directory has what the project would write, in our
own words, with ${names} in place of addresses and directories. What needs a cloud, such as their
own programs, is not run. `poolers` is about what some put before a database. Run by `make
deployers`.
"""
