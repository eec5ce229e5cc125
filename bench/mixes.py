"""python -m bench.mixes: how close the answers about mixes come to what is possible.

Starts this server, and creates small random clouds in it, one after the other. For each cloud, it
asks the service how many of some requests fit together. The service tries only one order of the
requests, so the benchmark also tries everything to find the most that could fit. Prints how often
the two numbers differ, and by how much.
"""

import argparse
import contextlib
import random
import sys
import uuid
from typing import NamedTuple

from bench.clouds import most, small_cloud
from bench.running import databases, ending, servers
from bench.running.options import positive

AGGREGATE = str(uuid.UUID(int=1))


class Outcome(NamedTuple):
    """One mix: how many requests it has, how many the service says fit, and the most that could."""

    wanted: int
    fit: int
    most: int


def main():
    return ending.run(_compare, _options())


def _options():
    parser = argparse.ArgumentParser(prog="python -m bench.mixes", description=__doc__)
    databases.add_options(parser)
    add = parser.add_argument
    add("--clouds", type=positive, default=500, help="how many of each kind; default: 500")
    add("--seed", type=int, default=1, help="default: 1")
    return parser.parse_args()


def _compare(options):
    """Print a line for each kind of cloud. No server or database is left behind.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """

    def launch(port, url, _directory):
        return servers.this_server(port, url, workers=1)

    with ending.cleanup() as stack:
        server = stack.enter_context(servers.started("this server", options, launch))
        client = stack.enter_context(contextlib.closing(server.client()))
        for kind in small_cloud.KINDS:
            dice = random.Random(f"{options.seed} {kind}")
            outcomes = [_outcome(client, kind, dice) for _ in range(options.clouds)]
            sys.stdout.write(f"{kind}: {summary(outcomes)}\n")
            sys.stdout.flush()


def _outcome(client, kind, dice):
    """Make a cloud, ask about a mix, and remove the cloud.

    Return the Outcome, or None if there are too many ways to try.
    """
    providers, mix = small_cloud.providers(kind, dice), small_cloud.mix(kind, dice)
    uuids = {each.name: str(uuid.UUID(int=dice.getrandbits(128))) for each in providers}
    for each in providers:
        _create(client, each, uuids)
    found = client.insist("POST", "/operator/fit", {"requests": [_request(each) for each in mix]})
    candidates = [
        candidate
        for number, each in enumerate(mix)
        for candidate in _candidates(client, number, each.query)
    ]
    for each in reversed(providers):
        client.insist("DELETE", f"/resource_providers/{uuids[each.name]}")
    wanted = [each.count for each in mix]
    free = {
        (uuids[each.name], name): amount
        for each in providers
        for name, amount in each.inventories.items()
    }
    try:
        possible = most.claimable(wanted, candidates, free)
    except most.TooMany:
        return None
    return Outcome(sum(wanted), sum(each["fit"] for each in found["requests"]), possible)


def _create(client, provider, uuids):
    own = {"uuid": uuids[provider.name], "name": provider.name}
    if provider.parent is not None:
        own["parent_provider_uuid"] = uuids[provider.parent]
    path = f"/resource_providers/{own['uuid']}"
    generation = client.insist("POST", "/resource_providers", own)["generation"]
    parts = {
        "inventories": {name: {"total": total} for name, total in provider.inventories.items()},
        "traits": provider.traits,
        "aggregates": [AGGREGATE] if provider.is_member else [],
    }
    for part, content in parts.items():
        document = {part: content, "resource_provider_generation": generation}
        answer = client.insist("PUT", f"{path}/{part}", document)
        generation = answer["resource_provider_generation"]


def _request(wanted):
    return {"name": wanted.query, "query": wanted.query, "count": wanted.count}


def _candidates(client, number, query):
    """Yield the Candidates of a query: each takes processors of the host that it belongs to."""
    found = client.insist("GET", f"/allocation_candidates?{query}")
    roots = {
        provider: summary["root_provider_uuid"]
        for provider, summary in found["provider_summaries"].items()
    }
    for candidate in found["allocation_requests"]:
        amounts = {
            (provider, name): amount
            for provider, taken in candidate["allocations"].items()
            for name, amount in taken["resources"].items()
        }
        host = next(roots[provider] for provider, name in amounts if name == "VCPU")
        yield most.Candidate(number, host, amounts)


def summary(outcomes):
    """Return a text about the Outcomes of some clouds; None stands for one that is too large."""
    tried = [each for each in outcomes if each is not None]
    all_fit = [each for each in tried if each.most == each.wanted]
    seen = sum(each.fit == each.wanted for each in all_fit)
    left_out = len(outcomes) - len(tried)
    return (
        f"everything fits into {len(all_fit)} of {len(tried)} clouds; the service finds that for"
        f" {seen} of these, and places {_share(all_fit)}. In all clouds, of the most"
        f" that could fit, it places {_share(tried)}. {left_out} more are too large to try"
        " everything."
    )


def _share(outcomes):
    """Return what share of the possible claims the service found, on average and at worst."""
    shares = [(each.fit / each.most, each) for each in outcomes if each.most]
    if not shares:
        return "nothing"
    mean = sum(share for share, _ in shares) / len(shares)
    _, worst = min(shares)
    return f"{mean:.1%} on average, at worst {worst.fit} of {worst.most}"


if __name__ == "__main__":
    sys.exit(main())
