"""Everything that uses SQL. A function takes a connection first and returns rows."""
