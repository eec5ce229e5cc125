"""The tables as a whole: creating, adopting, upgrading, sharing and returning them.

Called by deploy.py when the service starts, by objects/, and by the commands of an operator.
"""
