"""What a process does besides serving requests, in threads of its own.

Called by deploy.py, metrics/ and middleware/.
"""
