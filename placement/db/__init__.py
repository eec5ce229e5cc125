"""Everything that uses SQL. A function takes a connection first and returns rows.

Decisions are made in objects/, except for those that only a statement can make, because writers
race: taking_capacity.py and generations.py have these. Values without SQL are provider_room.py,
which also decides whether an amount fits, and subjects_of_names.py.

Called by objects/, candidates/ and the commands; and by conf/, deploy.py, handler.py, middleware/
and openapi/, which connect the service, record who writes, or handle its errors.
"""
