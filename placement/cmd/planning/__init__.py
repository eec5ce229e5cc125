"""Commands about plans: where consumers would go, and who would have to make room.

Called by cmd/manage.py and cmd/fit.py.
"""
