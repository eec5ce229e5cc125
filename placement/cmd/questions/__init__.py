"""Commands of placement-manage that look something up: find, fit, flavors and history.

mix.py is `fit --mix`.

Called by cmd/manage.py.
"""
