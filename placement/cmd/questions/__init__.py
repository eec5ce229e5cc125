"""Commands of placement-manage that look something up.

Called by cmd/manage.py.
"""
