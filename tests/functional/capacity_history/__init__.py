"""How full the cloud was: samples, their history, and their import.

The tests need a database.
"""
