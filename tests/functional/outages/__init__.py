"""Databases that cannot serve, or not in time, as seen by clients, pools and metrics.

`serving` has the service for these tests, with short timeouts.
"""
