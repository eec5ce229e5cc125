"""Clients of a server, and what their requests take: time, rates, CPU time and memory.

Called by the commands, reports/ and running/.
"""
