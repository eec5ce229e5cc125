"""Clients of the API that were written elsewhere, served by an application in this process."""
