"""A benchmark that compares this server with a peer. See README.rst.

Each module is a command, `python -m bench.X`, except agents, which is a part of `ordinary`. The
commands call these packages, and each package calls only those below it:

    reports    tables and charts of what was measured
    running    starts and stops the servers
    measuring  clients, and the time and cost of their requests
    clouds     what the servers are asked about
"""
