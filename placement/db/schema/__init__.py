"""The tables as a whole: creating, adopting, upgrading, sharing and returning them.

Called when the service starts, and by the commands of an operator.
"""
