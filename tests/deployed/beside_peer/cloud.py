"""The names that steps use (few, so that steps affect each other), and bodies by version."""

import re
import uuid

PROVIDERS = [str(uuid.UUID(int=number)) for number in range(0xA1, 0xA6)]
AGGREGATES = [str(uuid.UUID(int=number)) for number in range(0xB1, 0xB4)]
PROJECTS = [str(uuid.UUID(int=number)) for number in range(0xD1, 0xD3)]
USERS = [str(uuid.UUID(int=number)) for number in range(0xE1, 0xE3)]
CONSUMER_TYPES = ["INSTANCE", "MIGRATION"]
CUSTOM_CLASSES = ["CUSTOM_GOLD", "CUSTOM_IRON"]
CLASSES = ["VCPU", "DISK_GB", *CUSTOM_CLASSES]
CUSTOM_TRAITS = ["CUSTOM_FAST", "CUSTOM_RED"]
SHARES = "MISC_SHARES_VIA_AGGREGATE"
TRAITS = ["HW_CPU_X86_VMX", SHARES, *CUSTOM_TRAITS]
# Steps may also create a class or a trait of this name.
OTHER_NAME = "CUSTOM_NONE"
NEWEST = 39
CONSUMER = re.compile("c0ffee00-[0-9a-f-]{27}")


def new_consumer():
    """Return a UUID that no step has used for a consumer: the peer may remember all others."""
    return "c0ffee00" + str(uuid.uuid4())[8:]


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
