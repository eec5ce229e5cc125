"""How often flavors fit, as a document."""

from placement.documents import FORMAT, fit


def document(flavor_count, asked, fits):
    """Return the document of some FlavorFits.

    `flavor_count` is the number of flavors in the file, and `asked` are the flavors to be
    counted. If time ran out, `fits` covers only the first few of `asked`, but at least one.
    """
    return FORMAT | {
        "fault": None,
        "all": flavor_count,
        "flavors": [flavor(flavor_fit) for flavor_fit in fits],
        "next": fits[-1].flavor.name if len(fits) < len(asked) else None,
    }


def of_all(fits):
    """Return the document that the command prints: the FlavorFits of all flavors."""
    return FORMAT | {"flavors": [flavor(flavor_fit) for flavor_fit in fits]}


def fault(sentence):
    """Return the document that says why there are no flavors."""
    return FORMAT | {"fault": sentence, "all": 0, "flavors": [], "next": None}


def flavor(flavor_fit):
    """Return the document of a FlavorFit."""
    return {
        "name": flavor_fit.flavor.name,
        "query": flavor_fit.flavor.query,
        "ignored": list(flavor_fit.flavor.ignored),
        "fit": flavor_fit.times,
        "hosts": flavor_fit.host_count,
        "stopped_by": flavor_fit.stopped_by,
        "mistake": flavor_fit.mistake,
        "why": why(flavor_fit),
    }


def why(flavor_fit):
    """Return in words what is wrong with a flavor, or what stops it; None if there are no hosts."""
    if flavor_fit.mistake is not None:
        return flavor_fit.mistake
    return flavor_fit.stopped_by and fit.reason(flavor_fit.stopped_by)
