"""How often does a request fit? It is claimed again and again, in thought.

Called by handlers/operator, documents/ and the commands.
"""
