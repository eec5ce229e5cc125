"""Work that a process does in threads of its own, while it serves requests.

Called by deploy.py, metrics/ and middleware/.
"""
