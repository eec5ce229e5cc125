"""Starts the servers to measure, with their databases; no interrupt leaves any of them behind.

Also has the command-line options that choose the servers and databases. Called by the commands, and
by reports/ to name what ran.
"""
