"""What the service records of its own: hourly samples of the capacity, and the last audit.

Called by objects/, db/schema and the commands.
"""
