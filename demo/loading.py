"""Filling a server with the demo cloud, and removing it."""

from demo import cloud


def load(client):
    """Raises: client.Refused; OSError if there is no server."""
    clean(client)
    client.put(f"/traits/{cloud.GPU_TRAIT}")
    client.put(f"/resource_classes/{cloud.BARE_METAL}")
    for root in cloud.roots():
        _create(client, root)
    for instance in cloud.instances():
        _claim(client, instance)


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


def _claim(client, instance):
    claim = {
        "allocations": {
            cloud.uuid_of(name): {"resources": resources}
            for name, resources in instance.allocations.items()
        },
        "project_id": instance.project,
        "user_id": f"{instance.project}-user",
        "consumer_type": "INSTANCE",
        "consumer_generation": None,
    }
    client.put(f"/allocations/{cloud.uuid_of(instance.name)}", claim)


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
    client.delete(f"/resource_classes/{cloud.BARE_METAL}")


def _leaves_first(tree):
    parents = {provider["uuid"]: provider["parent_provider_uuid"] for provider in tree}

    def depth(provider):
        parent = parents[provider["uuid"]]
        return 0 if parent is None else 1 + depth({"uuid": parent})

    return sorted(tree, key=depth, reverse=True)
