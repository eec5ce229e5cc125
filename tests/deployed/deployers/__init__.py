"""The service as deployment projects install it, with their configuration and their commands.

Each project has a module and a directory. The directory has the files that the project would write,
in our own words, with ${names} in place of addresses and directories. Whatever needs a cloud, such
as the projects' own programs, is not run. `poolers` is about the poolers that some sites put in
front of a database.
Run by `make deployers`.
"""
