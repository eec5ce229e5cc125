"""Everything that uses SQL. A function takes a connection first and returns rows.

Called by objects/, candidates/ and the commands; and by conf/, deploy.py, handler.py, middleware/
and openapi/, which connect the service, record who writes, or handle its errors.
"""
