"""Everything that uses SQL. A function takes a connection first and returns rows.

Called by objects/, candidates/ and the commands. Those who start the service, connect it or answer
its errors use the engine, the schema and the faults only.
"""
