"""Input that makes no sense: odd text, odd headers, and rows that others have written.

None of it is an error of the service.
"""
