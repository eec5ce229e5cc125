"""What it costs to serve agents, moves, releases and queries for devices, with 100 hosts.

Each kind of write is a function for measure.task that prepares the requests to measure.
"""

import functools
import logging
import uuid

from bench.clouds import agents_cloud, cloud, loader
from bench.measuring import measure
from bench.reports.report import Row, Unit
from bench.running import pair

LOG = logging.getLogger("bench")
INSTANCES_PER_HOST = 5
# The keyword arguments of each AgentsCloud.
CLOUDS = ({"devices": 4}, {"devices": 16}, {"shares_disk": True})


def rows(options, measured, **kind):
    """Yield the Rows of one of CLOUDS.

    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    traits = pair.compute_traits(measured, agents_cloud.TRAITS)
    plan = agents_cloud.AgentsCloud(traits, **kind)
    # An instance takes some of its host's disk.
    instances = [] if "shares_disk" in kind else plan.instances(INSTANCES_PER_HOST)
    for server in measured:
        loader.load(server.database_url, plan, instances)
    turns = dict(_turns(plan, **kind))
    LOG.info("Measuring %s, %d times each ...", ", ".join(turns), options.repetitions)
    figures = measure.alternating_figures(measured, [*turns.values()], options.repetitions)
    for title, figures_of_title in zip(turns, figures, strict=True):
        yield Row(title, Unit.MILLISECONDS, figures_of_title)


def _turns(plan, devices=0, shares_disk=False):
    """Yield the title and the turn of each row."""
    reads = [plan.shared_disk_read()] if shares_disk else [*plan.device_reads()]
    if devices == 4:
        reads = [*plan.agents_reads(), *reads]
        for title, prepare in writes(plan):
            yield title, measure.task(prepare)
    for read in reads:
        yield read.title, measure.read(read)


def writes(plan):
    """Yield the title and the function of each kind of write."""
    host, other = plan.hosts[:2]
    for what, change in (
        ("inventories", _change_reserved),
        ("traits", functools.partial(_toggle, agents_cloud.DEVICE_TRAIT)),
        ("aggregates", functools.partial(_toggle, plan.aggregates[1])),
    ):
        yield f"PUT {what}", functools.partial(_put, host, what, change)
        yield f"PUT {what}, as they are", functools.partial(_put, host, what, None)
    yield "POST and DELETE a provider", _come_and_go
    yield "move an instance", functools.partial(_move, host, other)
    yield "release an instance", functools.partial(_release, host)


def _put(host, what, change, insist, number):
    path = f"/resource_providers/{host.uuid}/{what}"
    held = insist("GET", path)
    if change is not None:
        held[what] = change(held[what], number)
    return [("PUT", path, held)]


def _change_reserved(inventories, number):
    memory = inventories["MEMORY_MB"] | {"reserved": 512 + number}
    return inventories | {"MEMORY_MB": memory}


def _toggle(name, names, _number):
    return sorted({name}.symmetric_difference(names))


def _come_and_go(_insist, number):
    provider_uuid = _uuid(f"provider {number}")
    return [
        ("POST", "/resource_providers", {"name": f"new-{number}", "uuid": provider_uuid}),
        ("DELETE", f"/resource_providers/{provider_uuid}", None),
    ]


def _move(host, other, insist, number):
    """Do as nova does: give the instance's allocations to the migration, and claim the new host."""
    instance, migration = _uuid(f"instance {number}"), _uuid(f"migration {number}")
    insist("PUT", f"/allocations/{instance}", _claim(host))
    generation = insist("GET", f"/allocations/{instance}")["consumer_generation"]
    moved = {instance: _claim(other, generation), migration: _claim(host)}
    return [("POST", "/allocations", moved)]


def _release(host, insist, number):
    path = f"/allocations/{_uuid(f'released {number}')}"
    insist("PUT", path, _claim(host))
    return [("DELETE", path, None)]


def _claim(host, generation=None):
    claim = cloud.Claim(None, host, cloud.PROJECTS[0], cloud.USERS[0])
    _, document = claim.request()
    return document | {"consumer_generation": generation}


def _uuid(name):
    return str(uuid.uuid5(uuid.NAMESPACE_OID, name))
