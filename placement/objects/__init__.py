"""The words of the domain and their rules. A function takes a connection first."""
