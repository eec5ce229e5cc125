"""The tables as a whole: creating them, adopting, upgrading, sharing and giving them back.

Called by deploy.py when the service starts, by objects/, and by the commands of an operator.
"""
