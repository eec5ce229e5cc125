"""Faults under load; for each one, a history begins before it and ends after it.

Run by `make faults`. In each story, the clients of tests/deployed/history contend all the time.
When the fault has ended and the service serves again, they go on for as long as before it. Then no
answer may contradict another, and the books must be sound (`story`). Each module with stories is
about one subject.
"""
