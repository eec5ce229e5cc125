"""What happened to host b2 last night, sent to a server as those who did it would send it."""

import dataclasses

from demo import cloud

# The tokens of users, each with its project.
NOVA = "nova:service"
ON_CALL = "maria:operations"
IN_THE_HALL = "tom:datacenter"


def before(provider):
    """Return a Provider, with everything below it, as it was in the evening."""
    inventories = provider.inventories
    if provider.name == cloud.FAILED_NODE:
        memory = inventories["MEMORY_MB"] | {"total": cloud.MEMORY_MB}
        inventories = inventories | {"MEMORY_MB": memory}
    return dataclasses.replace(
        provider,
        inventories=inventories,
        traits=tuple(each for each in provider.traits if each != cloud.DISABLED),
        children=tuple(before(each) for each in provider.children),
    )


def claim(instance, generation=None):
    """Return what claims the allocations of a new Instance; with a generation, what moves it."""
    is_new = generation is None
    taken = instance.fled if is_new and instance.fled else instance.allocations
    return {
        "allocations": {
            cloud.uuid_of(name): {"resources": resources} for name, resources in taken.items()
        },
        "project_id": instance.project,
        "user_id": f"{instance.project}-user",
        "consumer_type": "INSTANCE",
        "consumer_generation": generation,
    }


def happen(client):
    """Disable the host, move the instances of its failed node, and take the memory out.

    Each is one write, and there are no others: past.py counts on that.
    Raises: client.Refused; OSError if there is no server.
    """
    [host] = [each for each in cloud.hosts() if each.name == cloud.FAILED]
    [node] = [each for each in host.children if each.name == cloud.FAILED_NODE]
    _write(client.acting(ON_CALL), host, "traits", host.traits)
    nova = client.acting(NOVA)
    for instance in moved():
        nova.put(f"/allocations/{cloud.uuid_of(instance.name)}", claim(instance, generation=1))
    _write(client.acting(IN_THE_HALL), node, "inventories", node.inventories)


def moved():
    """Return the Instances that were moved."""
    return [each for each in cloud.instances() if each.fled]


def _write(client, provider, what, value):
    path = f"/resource_providers/{provider.uuid}"
    generation = client.get(path)["generation"]
    client.put(f"{path}/{what}", {what: value, "resource_provider_generation": generation})
