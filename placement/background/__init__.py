"""Work that a process does in threads of its own, besides serving requests.

Called by deploy.py, metrics/ and middleware/.
"""
