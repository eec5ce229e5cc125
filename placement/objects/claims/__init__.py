"""How claims are written: everything that the consumers take is stored, or nothing.

Called by handlers/, which make a ConsumerClaim for each consumer in a body, and by objects/.
"""
