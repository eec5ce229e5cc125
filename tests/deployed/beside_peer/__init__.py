"""The same steps on this service and on openstack-placement: every answer must be the same.

Part of `make peer`. hypothesis chooses the steps (`machine`), and makes those that led to a
difference as few and as simple as it can. `answers` says what is compared, `known` which
differences doc/reference/differences.rst tells, and `tally` what was never seen.
"""
