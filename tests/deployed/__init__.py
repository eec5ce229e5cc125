"""The service as it is deployed: with real web servers, databases and clients of other projects.

Each module names the make target that runs it; `make test` runs none of them.
"""
