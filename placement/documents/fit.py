"""How often a request fits, as a document."""

from placement.candidates import kinds
from placement.documents import FORMAT, explanation, present

_STOPS = {kind.name: kind.words.stops for kind in kinds.ALL}


def document(query_string, found):
    """Return the document of a Fit."""
    return FORMAT | {
        "query": query_string,
        "fit": found.fit,
        "hosts_by_fit": {str(fit): hosts for fit, hosts in found.hosts_by_fit.items()},
        "hosts": [_host(host) for host in found.hosts],
        "stopped_by": found.stopped_by,
        "reasons": {name: reason(name) for name in found.stopped_by},
        "stranded": found.stranded,
        "unknown": [explanation.unknown(each) for each in found.unknown],
    }


def _host(host):
    return present.named(host) | {"fit": host.fit, "stopped_by": host.stopped_by}


def mix(asked, found):
    """Return the document of the MixFits of a Mix."""
    requests = list(zip(asked.requests, found, strict=True))
    return FORMAT | {
        "all": all(each.fit == request.count for request, each in requests),
        "requests": [
            {"name": request.name, "query": request.text, "count": request.count}
            | {"fit": each.fit, "turn": each.turn, "stopped_by": each.stopped_by}
            for request, each in requests
        ],
        "reasons": {name: reason(name) for each in found for name in each.stopped_by},
    }


def reason(stopped_by):
    """Return in words what stops a host: a class, or a constraint."""
    return _STOPS.get(stopped_by) or f"not enough {stopped_by}"
