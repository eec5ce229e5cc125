"""The commands in client/, which are another distribution: `make openstack-command` installs it.

So these modules are not named as those that `make test` finds.
"""
