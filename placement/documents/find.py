"""What a search for a text has found, as a document."""

from placement.documents import FORMAT
from placement.objects.consumer import shown_type


def document(text, found):
    """Return the document of a Lookup of a text."""
    return FORMAT | {
        "q": text,
        "found": [_as_json(each) for each in found.found],
        "more": sorted(found.more),
    }


def names(given):
    """Return the document of {id: name}."""
    return FORMAT | {"names": given}


def _as_json(each):
    shown = {"kind": each.kind, "id": each.id, "name": each.name}
    if each.hosts or each.owned:
        shown["hosts"] = [_host(host) for host in each.hosts]
    if each.owned:
        shown |= {
            "project_id": each.owned.project_id,
            "user_id": each.owned.user_id,
            "consumer_type": shown_type(each.owned.consumer_type),
        }
    return shown


def _host(host):
    shown = {"uuid": host.host_uuid, "name": host.host_name}
    shown |= {"resources": host.amounts} if host.amounts else {}
    return shown | ({"disabled": True} if host.is_disabled else {})
