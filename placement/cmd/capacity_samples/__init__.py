"""placement-manage capacity --since and --import: how full the cloud was.

Called by cmd/capacity.py.
Source: doc/how-to/capacity.rst, "History".
"""
