"""Databases that cannot serve, or not in time: what clients, pools and metrics make of it.

`serving` has the service for these tests, with short timeouts.
"""
