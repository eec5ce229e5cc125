"""The tables as a whole: creating, adopting, upgrading and sharing them, and giving them back.

foreign_writes.py corrects the derived sums after another program has written to the tables.

Called by deploy.py when the service starts, by objects/, and by the commands of an operator.
"""
