"""/operator: the operations for operators.

Source: doc/reference/api/operator.rst, for what stays the same from release to release.

There is one module for each endpoint. Three more help them: searching, one_at_a_time and spool.

Called by handler.py; openapi/ describes it.
"""
