"""Commands of OpenStackClient for the operations below /operator of placement-server.

A command sends one request (`service`), and shows the answer as rows (`report`). It knows the
service only over HTTP, and imports nothing from it.
"""
