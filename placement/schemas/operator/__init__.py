"""JSON schemas of the operations for operators, one module for each resource below /operator.

Other packages use these modules through the package schemas. Answers have no versions, but may gain
fields.
"""

from placement.schemas.operator import (
    audit,
    capacity,
    capacity_history,
    changes,
    evacuation,
    explanation,
    find,
    fit,
    flavors,
    query,
    release,
    service,
    survival,
    whole_provider,
)
