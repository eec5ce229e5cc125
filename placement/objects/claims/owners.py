"""Owners of consumers: projects, users and consumer types.

They are created by the first claim that names them, and never removed.
"""

from oslo_db import exception as db_exc

from placement.db import names as db_names
from placement.objects.claims.retries import retry_because

_KINDS = ("projects", "users", "consumer_types")


def missing_from(names, mentioned):
    """Return {kind: names} of the mentioned owners that do not exist, without empty kinds."""
    missing = {kind: mentioned[kind] - getattr(names, kind).keys() for kind in _KINDS}
    return {kind: owners for kind, owners in missing.items() if owners}


def add(conn, owners):
    """Create owners: {kind: names}.

    Raises: a RetryRequest when another writer was faster.
    """
    try:
        for kind, names in owners.items():
            db_names.add(conn, kind, names)
    except db_exc.DBDuplicateEntry as error:
        raise retry_because("its owner was added") from error


def find_alike(conn, owners, names):
    """Add to Names the owners that MySQL has taken for others.

    Raises: a RetryRequest for one that is gone, for instance if the database was just restored.
    """
    for kind, missing in owners.items():
        found = db_names.alike(conn, kind, missing)
        if found.keys() != missing:
            raise retry_because("its owner was removed")
        getattr(names, kind).update(found)
