"""What the tests of explanations share."""

from placement.candidates.effort import Effort
from placement.candidates.why.examine import Explanation


def explanation(query, one_provider_per_tree=False, closest=10, effort=None):
    """Return an Explanation without corrections, before it has looked at any host."""
    return Explanation(query, one_provider_per_tree, closest, effort or Effort(), {}, {})
