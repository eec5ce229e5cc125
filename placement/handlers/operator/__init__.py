"""/operator: the operations for operators.

Source: doc/reference/api/operator.rst, for what stays the same from release to release.

There is one module for each endpoint. They share three others: searching, one_at_a_time and spool.

Called by handler.py; openapi/ describes it.
"""
