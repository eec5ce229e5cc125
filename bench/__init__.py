"""A benchmark of this server, side by side with a peer. See README.rst.

Each module is a command, `python -m bench.X`, except for agents, which is a part of `ordinary`. The
commands call the rooms, and these call only those below them:

    reports    what was measured, for readers
    running    what is measured, while it runs
    measuring  clients, and the time and cost of what they ask
    clouds     what the servers are asked about
"""
