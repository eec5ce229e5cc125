"""A Placement server: wsgi/ starts it, and handler.py has its URLs."""
