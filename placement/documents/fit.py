"""How often a request fits, as a document."""

from placement.candidates import kinds
from placement.documents import FORMAT, explanation, resources

_STOPS = {kind.name: kind.words.stops for kind in kinds.ALL}


def document(query_string, answer):
    """Return the document of a Fit."""
    return FORMAT | {
        "query": query_string,
        "fit": answer.times,
        "hosts_by_fit": {str(fit): hosts for fit, hosts in answer.hosts_by_fit.items()},
        "hosts": [_host(host) for host in answer.hosts],
        "stopped_by": answer.stopped_by,
        "reasons": {name: reason(name) for name in answer.stopped_by},
        "stranded": answer.stranded,
        "unknown": [explanation.unknown(name) for name in answer.unknown],
    }


def _host(host):
    return resources.named(host) | {"fit": host.times, "stopped_by": host.stopped_by}


def mix(asked, fits):
    """Return the document of a Mix; `fits` has a MixFit for each of its requests.

    "fit" is how often a request fits, and "claim_order" is the request's place in the
    order of claiming.
    """
    requests = list(zip(asked.requests, fits, strict=True))
    return FORMAT | {
        "all": all(fit.times == request.count for request, fit in requests),
        "requests": [
            {"name": request.name, "query": request.text, "count": request.count}
            | {"fit": fit.times, "claim_order": fit.claim_order, "stopped_by": fit.stopped_by}
            for request, fit in requests
        ],
        "reasons": {name: reason(name) for fit in fits for name in fit.stopped_by},
    }


def reason(stopped_by):
    """Return what stops a host, in words; `stopped_by` names a class or a constraint."""
    return _STOPS.get(stopped_by) or f"not enough {stopped_by}"
