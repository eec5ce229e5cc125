"""What was measured: tables, JSON and charts, and the machine and versions that they are of.

Called by the commands.
"""
