"""The commands in client/, a separate distribution that `make openstack-command` installs.

These modules have no test_ in their names, so that `make test` does not find them.
"""
