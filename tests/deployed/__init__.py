"""The service as it is deployed: behind other people's servers, each of them a real one.

Each module names the make target that runs it; `make test` runs none of them.
"""
