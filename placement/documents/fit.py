"""How often a request fits, as a document."""

from placement.candidates import kinds
from placement.documents import FORMAT, explanation

_STOPS = {kind.name: kind.words.stops for kind in kinds.ALL}


def document(query_string, found):
    """Return the document of a Fit."""
    return FORMAT | {
        "query": query_string,
        "fit": found.fit,
        "hosts_by_fit": {str(fit): hosts for fit, hosts in found.hosts_by_fit.items()},
        "hosts": [host._asdict() for host in found.hosts],
        "stopped_by": found.stopped_by,
        "reasons": {name: reason(name) for name in found.stopped_by},
        "stranded": found.stranded,
        "unknown": [explanation.unknown(each) for each in found.unknown],
    }


def reason(stopped_by):
    """Return in words what stops a host: a class, or a constraint."""
    return _STOPS.get(stopped_by) or f"not enough {stopped_by}"
