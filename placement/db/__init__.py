"""Everything that speaks SQL. A function takes a connection first and gives back rows."""
