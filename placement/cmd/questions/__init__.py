"""Commands of placement-manage that only look something up, each in a module named after it.

mix.py is `fit --mix`. capacity is beside this folder, because it also stores samples.

Called by cmd/manage.py.
"""
