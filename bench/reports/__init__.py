"""What was measured: tables, JSON and charts, and the machine and versions that were measured.

Called by the commands.
"""
