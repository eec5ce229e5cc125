"""Real web servers in front of the service, as shipped: nginx, Apache and HAProxy.

Run by `make live`; other tests of this folder start them, too. `site` is what they have in common.
"""
