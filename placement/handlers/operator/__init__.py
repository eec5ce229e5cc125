"""/operator: the operations for operators.

Answers have no microversions and may gain new fields. Queries for candidates, and errors, follow
the microversion in OpenStack-API-Version, or the newest one without that header.

There is one module for each endpoint. They share three others: searching, one_at_a_time and spool.

Called by handler.py; openapi/ describes it.
"""
