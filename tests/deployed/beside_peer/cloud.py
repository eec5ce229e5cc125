"""The names in the steps, few enough to meet again and again, and bodies for each microversion."""

import uuid

PROVIDERS = [str(uuid.UUID(int=number)) for number in range(0xA1, 0xA6)]
CONSUMERS = [str(uuid.UUID(int=number)) for number in range(0xC1, 0xC5)]
AGGREGATES = [str(uuid.UUID(int=number)) for number in range(0xB1, 0xB4)]
PROJECTS = [str(uuid.UUID(int=number)) for number in range(0xD1, 0xD3)]
USERS = [str(uuid.UUID(int=number)) for number in range(0xE1, 0xE3)]
CONSUMER_TYPES = ["INSTANCE", "MIGRATION"]
CUSTOM_CLASSES = ["CUSTOM_GOLD", "CUSTOM_IRON"]
CLASSES = ["VCPU", "DISK_GB", *CUSTOM_CLASSES]
CUSTOM_TRAITS = ["CUSTOM_FAST", "CUSTOM_RED"]
SHARES = "MISC_SHARES_VIA_AGGREGATE"
TRAITS = ["HW_CPU_X86_VMX", SHARES, *CUSTOM_TRAITS]
NEWEST = 39


def claim(version, allocations, generation, project, user, consumer_type):
    """Return the body of a claim in the form of a version, from {provider: {class: amount}}."""
    if version < 12:
        listed = [
            {"resource_provider": {"uuid": provider}, "resources": resources}
            for provider, resources in allocations.items()
        ]
        body = {"allocations": listed}
    else:
        body = {
            "allocations": {
                provider: {"resources": resources} for provider, resources in allocations.items()
            }
        }
    if version >= 8:
        body |= {"project_id": project, "user_id": user}
    if version >= 28:
        body["consumer_generation"] = generation
    if version >= 38:
        body["consumer_type"] = consumer_type
    return body
