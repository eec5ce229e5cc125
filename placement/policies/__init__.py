"""The policy rules with their defaults, and the paths that need no rule. policy.py applies both.

Called by policy.py, deploy.py, middleware/, openapi/, web/, handler.py and cmd/status.py.
"""

from placement.policies import building_blocks, operations


def list_rules():
    """Return every rule of the service, the building blocks first."""
    return [*building_blocks.RULES, *operations.RULES]
