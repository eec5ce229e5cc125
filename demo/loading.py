"""Filling a server with the demo cloud, and removing it."""

from demo import cloud, night

_CLASSES = (cloud.BARE_METAL, cloud.NVME)


def load(client):
    """Raises: client.Refused; OSError if there is no server."""
    clean(client)
    client.put(f"/traits/{cloud.GPU_TRAIT}")
    for name in _CLASSES:
        client.put(f"/resource_classes/{name}")
    for root in cloud.roots():
        _create(client, night.before(root))
    nova = client.acting(night.NOVA)
    for instance in cloud.instances():
        nova.put(f"/allocations/{cloud.uuid_of(instance.name)}", night.claim(instance))
    night.happen(client)


def _create(client, provider, parent_uuid=None):
    path = f"/resource_providers/{provider.uuid}"
    created = {"name": provider.name, "uuid": provider.uuid, "parent_provider_uuid": parent_uuid}
    client.post("/resource_providers", created)
    seen = {"resource_provider_generation": 0}
    client.put(f"{path}/inventories", {"inventories": provider.inventories, **seen})
    seen = {"resource_provider_generation": 1}
    client.put(f"{path}/traits", {"traits": provider.traits, **seen})
    if provider.racks:
        aggregates = [cloud.uuid_of(rack) for rack in provider.racks]
        seen = {"resource_provider_generation": 2}
        client.put(f"{path}/aggregates", {"aggregates": aggregates, **seen})
    for child in provider.children:
        _create(client, child, provider.uuid)


def clean(client):
    """Remove the hosts of the demo cloud, with whatever is in their trees and claimed from them.

    Raises: client.Refused; OSError if there is no server.
    """
    for root in cloud.roots():
        tree = client.get(f"/resource_providers?in_tree={root.uuid}")["resource_providers"]
        for provider in tree:
            path = f"/resource_providers/{provider['uuid']}/allocations"
            for consumer_uuid in client.get(path)["allocations"]:
                client.delete(f"/allocations/{consumer_uuid}")
        for provider in _leaves_first(tree):
            client.delete(f"/resource_providers/{provider['uuid']}")
    client.delete(f"/traits/{cloud.GPU_TRAIT}")
    for name in _CLASSES:
        client.delete(f"/resource_classes/{name}")


def _leaves_first(tree):
    parents = {provider["uuid"]: provider["parent_provider_uuid"] for provider in tree}

    def depth(provider):
        parent = parents[provider["uuid"]]
        return 0 if parent is None else 1 + depth({"uuid": parent})

    return sorted(tree, key=depth, reverse=True)
