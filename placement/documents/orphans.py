"""Orphans, the consumers that are missing from a given list, as documents."""

from placement.documents import FORMAT, moment


def beginning(comparison, consumer_type):
    """Return what comes before the orphans in the document of a Comparison."""
    return FORMAT | {"consumer_type": consumer_type, "consumers": comparison.consumer_count}


def orphan(row, holdings):
    """Return the document of an orphan, from its ConsumerRow and its HeldOnHosts."""
    return {
        "consumer": row.uuid,
        "last_written": row.touched and moment(row.touched),
        "hosts": [
            {"uuid": held.host_uuid, "name": held.host_name, "resources": held.amounts}
            for held in holdings
        ],
    }
