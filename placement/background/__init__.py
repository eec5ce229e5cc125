"""What a process does beside its requests, in threads of its own.

Called by deploy.py, metrics/ and middleware/.
"""
