"""How full the cloud was: taking samples, reading them, and what they say about the future.

Source: doc/how-to/capacity.rst.
"""
