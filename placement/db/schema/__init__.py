"""The tables as a whole: making, adopting, upgrading, sharing and giving them back.

Called when the service starts, and by the commands of an operator.
"""
