"""The policy rules and their defaults. Called by policy.py and deploy.py."""

from placement.policies import building_blocks, operations


def list_rules():
    """Return every rule of the service, the building blocks first."""
    return [*building_blocks.RULES, *operations.RULES]
