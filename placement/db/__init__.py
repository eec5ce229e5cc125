"""Everything that uses SQL. Functions take a connection first and return rows.

Decisions are made in objects/, except for those that must be part of a statement, because writers
race. taking_capacity.py decides whether a claim fits. generations.py advances a generation unless
another writer has done so; objects/generational.py refuses a stale generation that a
client sends.

provider_room.py has no SQL: it decides whether an amount fits, for a search, and lists where else
this is decided.

Called by objects/, candidates/ and the commands; and by conf/, deploy.py, handler.py, middleware/
and openapi/, which connect the service, record who writes, or handle its errors.
"""
