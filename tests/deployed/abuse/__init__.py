"""Requests by which a client could hold up the service, and what each may cost.

Run by `make abuse`, which sends each Row to a live server, of two workers with four threads each,
and prints a table of what the rows cost. The run fails if a row breaks its bounds.

A module has the rows of one subject, and says where they are served:

`deployment()`
    a context manager that gives a service.Service with everything in its database that the rows
    ask for. The simplest one is service.running(), whose database is empty.
`ROWS`
    a list of Row, each of which is sent to workers that have served nothing but a few small
    requests before.

`__main__.py` lists the modules.
"""

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the table.

    `send` is called with the Service, and returns the outcome for the table; `answer` is a regular
    expression that matches all of it. `send` itself asserts what happens to other requests
    meanwhile. Until all requests are done, the workers may use `cpu_seconds` of CPU time in total,
    and the memory of each may grow by `mebibytes`.
    """

    title: str
    send: Callable
    answer: str
    cpu_seconds: float = 1
    mebibytes: int = 100
