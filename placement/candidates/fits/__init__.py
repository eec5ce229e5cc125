"""How often a request fits: the count of simulated claims, one after the other.

Called by handlers/operator, documents/ and the commands.
"""
