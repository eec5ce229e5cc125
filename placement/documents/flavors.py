"""How often flavors fit, as a document."""

from placement.documents import FORMAT, fit


def document(every, asked, found):
    """Return the document of FlavorFits: those of the first flavors that were asked for.

    every: how many flavors the file has
    """
    return FORMAT | {
        "fault": None,
        "all": every,
        "flavors": [flavor(each) for each in found],
        "next": found[-1].flavor.name if len(found) < len(asked) else None,
    }


def of_all(found):
    """Return the document of the FlavorFits of all flavors, as the command prints it."""
    return FORMAT | {"flavors": [flavor(each) for each in found]}


def fault(sentence):
    """Return the document that says why there are no flavors."""
    return FORMAT | {"fault": sentence, "all": 0, "flavors": [], "next": None}


def flavor(found):
    """Return the document of a FlavorFit."""
    return {
        "name": found.flavor.name,
        "query": found.flavor.query,
        "ignored": list(found.flavor.ignored),
        "fit": found.fit,
        "hosts": found.hosts,
        "stopped_by": found.stopped_by,
        "mistake": found.mistake,
        "why": why(found),
    }


def why(found):
    """Return in words what stops a flavor, or what is wrong with it; None if there are no hosts."""
    if found.mistake is not None:
        return found.mistake
    return found.stopped_by and fit.reason(found.stopped_by)
