"""Owners: the projects and users that consumers belong to, and the types that they have.

They come into being with the first claim that names them, and are never removed.
"""

from oslo_db import exception as db_exc

from placement import exception
from placement.db import names as db_names

KINDS = ("projects", "users", "consumer_types")


class OwnersUnknown(Exception):
    """A write is for owners never seen before: {kind: names}, as db.names knows kinds."""

    def __init__(self, missing):
        super().__init__(missing)
        self.missing = missing


def write_for(database, write):
    """Call write(conn, added) in one transaction, and again if it raises OwnersUnknown.

    In between, those owners are added in a transaction of their own: a claim need not wait
    for others that add the same ones. `added` is what came of it: {kind: {name: id}}.
    """
    try:
        with database.writer() as conn:
            return write(conn, {})
    except OwnersUnknown as unknown:
        with database.writer() as conn:
            added = _add(conn, unknown.missing)
    with database.writer() as conn:
        return write(conn, added)


def _add(conn, missing):
    try:
        return {kind: db_names.add(conn, kind, names) for kind, names in missing.items()}
    except db_exc.DBDuplicateEntry as error:
        raise db_exc.RetryRequest(
            exception.AllocationsChanged(reason="its owner was added")
        ) from error


def with_added(names, added, claims):
    """Return the Names `names` with the owners that were `added`.

    Raises: OwnersUnknown when an owner of `claims` is among neither.
    """
    names = names._replace(
        **{kind: getattr(names, kind) | found for kind, found in added.items()}
    )
    wanted = of_claims(claims)
    missing = {kind: wanted[kind] - getattr(names, kind).keys() for kind in KINDS}
    if any(missing.values()):
        raise OwnersUnknown({kind: names for kind, names in missing.items() if names})
    return names


def of_claims(claims):
    """Return {kind: names} of the owners that ConsumerClaims name."""
    return {
        "projects": {claim.project_id for claim in claims},
        "users": {claim.user_id for claim in claims},
        "consumer_types": {claim.consumer_type for claim in claims} - {None},
    }
