"""How full the cloud was: taking samples, reading them, and what they say about the time to come.

Source: doc/how-to/capacity.rst.
"""
