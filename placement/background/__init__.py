"""Work that a process does besides serving requests, in separate threads.

Called by deploy.py, metrics/ and middleware/.
"""
