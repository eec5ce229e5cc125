"""How claims are written: everything that the consumers take is stored, or nothing.

Handlers make a ConsumerClaim for each consumer in a body, and give them to `writing`.
"""
