"""What operators ask about the whole cloud: audits, sums, and everything about every provider.

Called by objects/. Only empty_consumers also deletes; all else here only reads.
"""
