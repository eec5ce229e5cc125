"""A service with a large cloud, whose hosts have as many traits as real ones, and share as many."""

import contextlib

import sqlalchemy as sa

from bench.clouds import cloud, loader
from placement.db import engine, tables
from tests.deployed.abuse import Row, service

# 11,420 hosts, which have 20,780 providers in total, and 60,000 instances.
PLAN = cloud.Cloud(10_000, 1000, 420)
INSTANCES_PER_HOST = 6
TRAITS = 2000

# Explanations examine only one of several equal hosts, so hardly any two have equal free amounts.
_inventories = tables.inventories
_UNLIKE_MOST_OTHERS = {
    field: _inventories.c[field] + _inventories.c.resource_provider_id * 7919 % 10007
    for field in ("total", "capacity", "max_unit")
}


@contextlib.contextmanager
def deployment(claims=(), **settings):
    """Yield the Service; some of its hosts also have these `claims`, Claims of the PLAN."""
    # Requests may be as long as with the shipped configuration of uWSGI: 16,384 characters.
    with service.running(["--limit-request-line", "0"], **settings) as running:
        database = engine.connect(running.database_url)
        with database.writer() as conn:
            conn.execute(sa.insert(tables.traits), [{"name": trait(n)} for n in range(TRAITS)])
        instances = [*PLAN.instances(INSTANCES_PER_HOST), *claims]
        loader.load(running.database_url, PLAN, instances)
        with database.writer() as conn:
            conn.execute(sa.update(_inventories).values(_UNLIKE_MOST_OTHERS))
        database.engine.dispose()
        yield running


def trait(number):
    return f"CUSTOM_RACK_{number:05}_OF_FLASH"


def unknown_traits(count):
    return "required=" + ",".join(f"CUSTOM_RACK_{n:03}_FLUSH" for n in range(count))


def groups(count, amount, policy="none"):
    asked = [f"resources{number}={amount}" for number in range(count)]
    return "&".join([*asked, f"group_policy={policy}"])


def row(title, answer, path, **bounds):
    """Return the Row of a single GET request; the answer is a status."""

    def send(running):
        return running.request("GET", path)

    return Row(title=title, send=send, answer=answer, **bounds)
