"""Steps that random requests seldom reach: each operation, done and refused, at one version."""

from tests.deployed.beside_peer import cloud

_HOST, _CHILD, _OTHER, _MISSING = 0, 1, 2, 4
_CONSUMER, _NEIGHBOUR = 0, 1
_OWNER = cloud.PROJECTS[0], cloud.USERS[0], cloud.CONSUMER_TYPES[0]
_CLASS, _TRAIT = cloud.CUSTOM_CLASSES[0], cloud.CUSTOM_TRAITS[0]
_BELOW = ("", "/inventories", "/usages", "/aggregates", "/traits", "/allocations")
_RIGHT, _STALE = False, True
# The last version in which a resource class can be renamed, and the last one without traits.
_RENAMES = 6
_NO_TRAITS = 5


def take(machine, version):
    """Let a Machine take the steps in empty clouds, and remove what they leave."""
    try:
        for part in (_create, _fill, _claim, _look, _reshape, _refuse_to_remove, _remove):
            part(machine, version)
    finally:
        machine.teardown()


def _create(machine, version):
    for name in (_CLASS, _CLASS, "wrong"):
        machine.create_class(name, version)
    for name in (cloud.CUSTOM_CLASSES[1], cloud.CUSTOM_CLASSES[1], "wrong"):
        machine.one_class("PUT", name, _CLASS, version)
    for name in (cloud.CUSTOM_CLASSES[1], cloud.OTHER_NAME):
        machine.one_class("PUT", name, _CLASS, min(version, _RENAMES))
    for name in (_TRAIT, _TRAIT, "wrong"):
        machine.one_trait("PUT", name, version)
    machine.one_trait("PUT", _TRAIT, min(version, _NO_TRAITS))
    for place, parent in ((_HOST, None), (_HOST, None), (_CHILD, _HOST), (_OTHER, None)):
        machine.create_provider(place, parent, version)
    for place, name in ((_OTHER, _OTHER), (_OTHER, _HOST), (_MISSING, _MISSING)):
        machine.update_provider(place, name, None, version)


def _fill(machine, version):
    inventory = {"total": 8}
    for place, state in ((_HOST, _RIGHT), (_HOST, _STALE), (_MISSING, _RIGHT)):
        machine.put_inventories(place, {"VCPU": inventory, _CLASS: inventory}, state, version)
        machine.put_traits(place, [_TRAIT], state, version)
        machine.put_aggregates(place, cloud.AGGREGATES[:1], state, version)
    for place in (_HOST, _HOST, _MISSING):
        machine.post_inventory(place, "DISK_GB", inventory, version)
    for place, state in ((_HOST, _RIGHT), (_HOST, _STALE), (_MISSING, _RIGHT)):
        for method in ("PUT", "GET"):
            machine.one_inventory(place, method, "DISK_GB", inventory, state, version)


def _claim(machine, version):
    for amount in (1, 100):
        amounts = {_HOST: {"VCPU": amount, _CLASS: amount}}
        machine.claim(_CONSUMER, amounts, _RIGHT, _OWNER, version)
        machine.claim_for_many({_NEIGHBOUR: (amounts, _RIGHT, _OWNER)}, version)


def _look(machine, version):
    for place in (_HOST, _MISSING):
        for below in _BELOW:
            machine.show_provider(place, below, version)
    for consumer in (_CONSUMER, 2):
        machine.one_consumer(consumer, "GET", version)
    for method, name in (("GET", _CLASS), ("GET", cloud.OTHER_NAME), ("DELETE", "VCPU")):
        machine.one_class(method, name, _CLASS, version)
    for method, name in (("GET", _TRAIT), ("GET", cloud.OTHER_NAME), ("DELETE", cloud.SHARES)):
        machine.one_trait(method, name, version)
    machine.list_classes(version)
    machine.list_traits("", "true", version)
    machine.usages(cloud.PROJECTS[0], None, None, version)
    for path in ("/resource_providers", "/allocation_candidates"):
        machine.ask("GET", path, f"{path}?resources=VCPU:1", version)


def _reshape(machine, version):
    """Move everything to the other provider, and back."""
    for state in (_STALE, _RIGHT):
        machine.reshape(_HOST, _OTHER, state, version)
    machine.reshape(_OTHER, _HOST, _RIGHT, version)


def _refuse_to_remove(machine, version):
    """Try to remove what is in use."""
    machine.delete_provider(_HOST, version)
    machine.delete_inventories(_HOST, version)
    machine.one_inventory(_HOST, "DELETE", "VCPU", None, _RIGHT, version)
    machine.one_class("DELETE", _CLASS, _CLASS, version)
    machine.one_trait("DELETE", _TRAIT, version)


def _remove(machine, version):
    """Remove each thing twice: the second time, it no longer exists."""
    for _ in range(2):
        for consumer in (_CONSUMER, _NEIGHBOUR):
            machine.one_consumer(consumer, "DELETE", version)
        machine.one_inventory(_HOST, "DELETE", "VCPU", None, _RIGHT, version)
        machine.delete_inventories(_HOST, version)
        machine.delete_traits(_HOST, version)
        for place in (_CHILD, _HOST):
            machine.delete_provider(place, version)
        machine.one_class("DELETE", _CLASS, _CLASS, version)
        machine.one_trait("DELETE", _TRAIT, version)
    machine.delete_inventories(_HOST, version)
    machine.delete_traits(_HOST, version)
