"""What requests may cost: statements, time and memory.

Figures of whole servers are in bench/, and those of hostile clients in tests/deployed/abuse.
"""
