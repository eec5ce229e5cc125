"""What each handler does, takes, answers and refuses: OPERATIONS, one module per resource.

What a handler checks by a decorator, such as its policy, is not repeated here.

Called by openapi/.
"""

from placement.handlers import resource_class as resource_class_handlers
from placement.openapi.operations import (
    aggregate,
    allocation,
    allocation_candidate,
    inventory,
    operator,
    reshaper,
    resource_class,
    resource_provider,
    root,
    trait,
    usage,
)

# The operations, by the function that handles them.
OPERATIONS = (
    root.OPERATIONS
    | resource_class.OPERATIONS
    | resource_provider.OPERATIONS
    | inventory.OPERATIONS
    | usage.OPERATIONS
    | aggregate.OPERATIONS
    | trait.OPERATIONS
    | allocation.OPERATIONS
    | allocation_candidate.OPERATIONS
    | reshaper.OPERATIONS
    | operator.OPERATIONS
)

_VARIANTS = {resource_class_handlers.update: resource_class_handlers.updating}


def is_available(handler, since):
    """Return whether a version has the operation; `since` says whether it has a behaviour."""
    behaviour = getattr(handler, "since", None)
    return behaviour is None or since(behaviour)


def variant(handler, since):
    """Return the handler that does the work of `handler` in a version, often `handler` itself."""
    return _VARIANTS[handler](since) if handler in _VARIANTS else handler
