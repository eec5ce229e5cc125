"""How often a request fits: simulated claims, counted one after the other.

Called by handlers/operator, queries/, flavors/ and the commands.
"""
