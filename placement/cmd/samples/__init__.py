"""placement-manage capacity --since and --import: how full the cloud was.

Source: doc/how-to/capacity.rst, "History".
"""
