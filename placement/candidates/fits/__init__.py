"""How often a request fits: simulated claims, counted one after the other.

Called by handlers/operator, documents/ and the commands.
"""
