"""Thousands of generated requests, whose answers must be as the description says: `make fuzz`."""
