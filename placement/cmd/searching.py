"""What commands need for a search: a question, a connection and an Effort."""

import contextlib
import urllib.parse

from placement.candidates.effort import Effort
from placement.candidates.why import spelling
from placement.cmd import mistakes, progress
from placement.queries import query_string

# The help for an argument that query_string.interpret() reads.
QUERY_HELP = (
    "amounts, such as VCPU:4,MEMORY_MB:1024, or a query for allocation candidates, such as "
    "'resources=VCPU:4&required=CUSTOM_GOLD'"
)


def encoded(parameters):
    """Return parameters, {name: value} or [(name, value)], as a part of a query string.

    Bytes that are not UTF-8 stay as they were typed, so that the query is refused.
    """
    return urllib.parse.urlencode(parameters, errors="surrogateescape")


def read_question(query, more, queries, since):
    """Return the question that a query and the options of a command ask.

    `more` are the parameters that the options stand for, {name: value}. `queries` is the module of
    placement/queries/ that reads such queries. `since` is a function that says whether their
    version has a behaviour.
    Raises: BadQuery.
    """
    asked = f"{query}&{encoded(more)}"
    pairs = query_string.of_argument(asked, queries.validator(since), query_string.first_and_last)
    return queries.read(pairs, since)


@contextlib.contextmanager
def connection(configuration):
    """Context manager: yield a connection to search with.

    If a search inside has an unknown name, the error suggests known names.

    Raises: Mistake, CannotConnect.
    """
    database = mistakes.connect_to_migrated(configuration)
    with (
        spelling.with_suggestions(database),
        progress.shown(progress.READING_THE_CLOUD),
        database.reports() as conn,
    ):
        yield conn


def effort_for(configuration):
    """Return the Effort for one search."""
    return Effort(configuration.placement.max_search_effort)
