"""The names of a query, looked up in the database."""

import os_traits

from placement.candidates import resolution
from placement.candidates.query import CandidateQuery
from placement.db import names as db_names
from placement.db.subjects import Subject


def all_in_one(queries):
    """Return a CandidateQuery that names everything that some CandidateQueries name."""
    return CandidateQuery(
        tuple(group for query in queries for group in query.groups),
        root_required=frozenset().union(*(each.root_required for each in queries)),
        root_forbidden=frozenset().union(*(each.root_forbidden for each in queries)),
    )


def look_up(conn, query):
    """Return the Names of everything in a CandidateQuery, and of the trait of sharing providers.

    Cost: one query.
    Raises: UnknownTraits for traits of the root, whatever else is unknown.
    """
    names = known(conn, query)
    resolution.refuse_unknown_of_root(query, names)
    return names


def known(conn, query):
    """As look_up, but raises nothing: unknown names are missing from the Names."""
    wanted = resolution.names_in(query)
    wanted[Subject.TRAITS] |= {os_traits.MISC_SHARES_VIA_AGGREGATE}
    return db_names.resolve(conn, **wanted)
