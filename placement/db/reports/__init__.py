"""What operators ask about the whole cloud: audits, sums, and everything about every provider.

Called by objects/. Everything here only reads, except for empty_consumers, which can also delete.
"""
