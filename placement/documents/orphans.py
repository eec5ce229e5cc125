"""Consumers that are not on a list, as documents."""

from placement.documents import FORMAT, moment


def beginning(comparison, consumer_type):
    """Return the members of the document of a Comparison that come before the orphans."""
    return FORMAT | {"consumer_type": consumer_type, "consumers": comparison.consumers}


def orphan(row, holdings):
    """Return the row of an orphan, and its HeldOnHosts, as JSON."""
    return {
        "consumer": row.uuid,
        "last_written": row.touched and moment(row.touched),
        "hosts": [
            {"uuid": each.host_uuid, "name": each.host_name, "resources": each.amounts}
            for each in holdings
        ],
    }
