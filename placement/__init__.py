"""A Placement server: wsgi/ starts it, handler.py has its URLs."""
