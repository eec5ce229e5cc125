"""Commands of placement-manage that look something up: find, fit, flavors and history.

Called by cmd/manage.py.
"""
