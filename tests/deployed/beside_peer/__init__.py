"""The same steps on this service and on openstack-placement: every answer must be the same.

Part of `make peer`. `tour` sends each operation in some versions, once so that it succeeds and once
so that it is refused; `refusals` sends wrong headers. Then hypothesis chooses steps (`machine`).
`answers` says what is compared: status, headers, code, the words of details. `known` lists the
differences that doc/reference/differences.rst lists. From the steps that led to any other
difference, `shortest` keeps only those that show it, as lines with curl. `tally` says how often
each documented status of each route was seen; a status that was never seen is an error, unless
`unreachable` says why.
"""
