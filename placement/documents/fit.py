"""How often a request fits, as a document."""

from placement.documents import FORMAT, explanation


def document(query_string, found):
    """Return the document of a Fit."""
    return FORMAT | {
        "query": query_string,
        "fit": found.fit,
        "hosts": [host._asdict() for host in found.hosts],
        "stopped_by": found.stopped_by,
        "stranded": found.stranded,
        "unknown": [explanation.unknown(each) for each in found.unknown],
    }
