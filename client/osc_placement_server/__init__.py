"""Commands of OpenStackClient for the operations below /operator of placement-server.

A command sends one request (service.py), and shows the answer as rows (report.py). It uses the
service only over HTTP, and imports nothing from it.
"""
