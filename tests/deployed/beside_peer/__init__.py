"""The same steps on this service and on openstack-placement: every answer must be the same.

Part of `make peer`. hypothesis chooses the steps (`machine`), and reduces those that led to a
difference to the fewest and simplest. `answers` says what is compared, `known` lists the
differences in doc/reference/differences.rst, and `tally` says what was never seen.
"""
