"""The names of a query, looked up in the database."""

from placement.candidates import resolution
from placement.db import names_and_ids
from placement.db.subjects_of_names import Subject


def look_up(conn, query):
    """Return the Names of everything in a CandidateQuery, and of the trait of sharing providers.

    Cost: one query.
    Raises: UnknownTraits for traits of the root, whatever else is unknown.
    """
    names = known(conn, query)
    resolution.refuse_unknown_of_root(query, names)
    return names


def known(conn, *queries):
    """Return the Names of everything in some CandidateQueries, and of the sharing providers' trait.

    Unknown names are just left out.
    Cost: one query.
    """
    wanted = resolution.names_in(*queries)
    wanted[Subject.TRAITS] |= {resolution.SHARING_TRAIT}
    return names_and_ids.resolve(conn, **wanted)
