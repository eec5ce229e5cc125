"""What a search by name or UUID has found, as a document."""

from placement.documents import FORMAT
from placement.objects.consumer import shown_type


def document(text, lookup):
    """Return the document of a Lookup; `text` is what was looked for."""
    return FORMAT | {
        "q": text,
        "found": [_as_json(match) for match in lookup.found],
        "more": sorted(lookup.more),
        "notes": notes_on(lookup),
    }


def notes_on(lookup):
    """Return sentences about what a Lookup does not list."""
    if not lookup.found:
        return ["Nothing was found."]
    if not lookup.more:
        return []
    kinds = ", ".join(kind.replace("_", " ") for kind in sorted(lookup.more))
    return [f"There are more of these: {kinds}. Type more of the name."]


def names(given):
    """Return the document that shows names; `given` is {id: name}."""
    return FORMAT | {"names": given}


def _as_json(match):
    """Return the document of a Match. Only consumers have match.owned, which names their owner."""
    shown = {"kind": match.kind, "id": match.id, "name": match.name}
    if match.hosts or match.owned:
        shown["hosts"] = [_host(host) for host in match.hosts]
    if match.owned:
        shown |= {
            "project_id": match.owned.project_id,
            "user_id": match.owned.user_id,
            "consumer_type": shown_type(match.owned.consumer_type),
        }
    return shown


def _host(host):
    shown = {"uuid": host.host_uuid, "name": host.host_name}
    shown |= {"resources": host.amounts} if host.amounts else {}
    return shown | ({"disabled": True} if host.is_disabled else {})
