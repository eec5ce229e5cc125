"""The most requests that can be claimed together, found by trying everything; pure.

Only for small clouds. The service's own counts are compared with this number.
"""

import collections
import itertools
from typing import NamedTuple

MOST_STATES = 200_000


class TooMany(Exception):
    """There are more than MOST_STATES ways to fill a host, or all hosts, with claims."""


class Candidate(NamedTuple):
    """One way to serve a request, and what it takes.

    request  the number of the request in the mix
    host     the root of the tree in which the request is served
    amounts  how much is taken, {(provider, class): amount}
    """

    request: int
    host: str
    amounts: dict


def claimable(wanted, candidates, free):
    """Return the largest number of claims that are possible together.

    wanted: how many of each request; free: {(provider, class): amount}

    The search finds all ways to fill each host, and combines them. Only resources that hosts share,
    such as a disk, make some combinations impossible.
    Raises: TooMany.
    """
    of_hosts = collections.defaultdict(list)
    for each in candidates:
        of_hosts[each.host].append(each)
    used_by = collections.Counter(
        key
        for of_host in of_hosts.values()
        for key in {key for each in of_host for key in each.amounts}
    )
    shared = sorted(key for key, number in used_by.items() if number > 1)
    # The claims of each request so far, and what is left of the shared resources.
    states = {((0,) * len(wanted), tuple(free[key] for key in shared))}
    for of_host in of_hosts.values():
        ways = _ways(wanted, of_host, free, shared)
        _bound(len(states) * len(ways))
        states = {
            state
            for (claims, left), (more, taken) in itertools.product(states, ways)
            if _is_possible(
                state := (
                    tuple(map(sum, zip(claims, more, strict=True))),
                    tuple(n - m for n, m in zip(left, taken, strict=True)),
                ),
                wanted,
            )
        }
    return max(sum(claims) for claims, _ in states)


def _ways(wanted, candidates, free, shared):
    """Return {(claims of each request on a host, what they take of the shared resources)}."""
    keys = sorted({key for each in candidates for key in each.amounts} | set(shared))
    room = tuple(free[key] for key in keys)
    steps = [(each.request, tuple(each.amounts.get(key, 0) for key in keys)) for each in candidates]
    first = ((0,) * len(wanted), room)
    seen, waiting = {first}, [first]
    while waiting:
        _bound(len(seen))
        claims, left = waiting.pop()
        for request, amounts in steps:
            more = (*claims[:request], claims[request] + 1, *claims[request + 1 :])
            state = more, tuple(n - m for n, m in zip(left, amounts, strict=True))
            if state not in seen and _is_possible(state, wanted):
                seen.add(state)
                waiting.append(state)
    places = [keys.index(key) for key in shared]
    return {(claims, tuple(room[i] - left[i] for i in places)) for claims, left in seen}


def _is_possible(state, wanted):
    claims, left = state
    return min(left, default=0) >= 0 and all(n <= m for n, m in zip(claims, wanted, strict=True))


def _bound(number):
    if number > MOST_STATES:
        raise TooMany
