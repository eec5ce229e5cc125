"""Commands about plans: where consumers would go, and which would have to make room.

Called by cmd/manage.py.
"""
