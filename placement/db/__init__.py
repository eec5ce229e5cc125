"""Everything that uses SQL. A function takes a connection first and returns rows.

Called by objects/, candidates/ and the commands. Code that starts or connects the service, or
answers its errors, uses only engine/, schema/ and faults/.
"""
