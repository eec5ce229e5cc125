"""How full the cloud was: taking samples, reading them, and what they say about the future.

Called by background/, documents/, handlers/operator, openapi/ and the commands.
Source: doc/how-to/capacity.rst.
"""
