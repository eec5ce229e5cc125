"""What operators ask of the whole cloud: audits, sums, and everything of every provider.

Called by objects/. All of it reads, but for empty_consumers, which an audit repairs.
"""
