"""Owners of consumers, which are projects and users, and types of consumers.

They are created by the first claim that names them, and never removed.
Source: doc/explanation/rules.rst, C3 and C4.
"""

from oslo_db import exception as db_exc

from placement.db import names_and_ids
from placement.db.subjects_of_names import Subject
from placement.objects.retry_requests import FasterWrite, retry_because

_SUBJECTS = (Subject.PROJECTS, Subject.USERS, Subject.CONSUMER_TYPES)


def missing_from(names, mentioned):
    """Return {Subject: names} of the `mentioned` owners that do not exist, without empty sets."""
    missing = {each: mentioned[each] - names.ids_of(each).keys() for each in _SUBJECTS}
    return {subject: owners for subject, owners in missing.items() if owners}


def add(conn, owners):
    """Create `owners`, which are {Subject: names}.

    Raises: a RetryRequest when another writer was faster.
    """
    try:
        for subject, names in owners.items():
            names_and_ids.add(conn, subject, names)
    except db_exc.DBDuplicateEntry as error:
        raise retry_because(FasterWrite.OWNER_ADDED) from error


def find_alike(conn, owners, names):
    """Add to Names those `owners`, {Subject: names}, that MySQL considers equal to stored ones.

    Call this only after `add`, so that each of them exists, or has existed.
    Raises: a RetryRequest for one that is gone, for instance if the database was just restored.
    """
    for subject, missing in owners.items():
        ids = names_and_ids.alike(conn, subject, missing)
        if ids.keys() != missing:
            raise retry_because(FasterWrite.OWNER_REMOVED)
        names.ids_of(subject).update(ids)
