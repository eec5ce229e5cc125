"""What the service records for itself: hourly samples of the capacity, and the last audit.

Called by objects/, db/schema and the commands.
"""
