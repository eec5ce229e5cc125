"""GET /operator/release."""

from placement.candidates.plans import release
from placement.documents import plans as plans_document
from placement.handlers.answering.response import respond
from placement.handlers.operator import searching
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.queries import query_string, release_query


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show(req):
    """GET /operator/release.

    Source: doc/how-to/planning.rst.
    """
    since = searching.since_of(req)
    pairs = req.query_matching(release_query.validator(since), values=query_string.first_and_last)
    # The fields of `question` are the arguments that find() takes between conn and the effort.
    question = release_query.read(pairs, since)
    with searching.connection(req) as conn:
        found = release.find(conn, *question, searching.effort_for(req))
    return respond(200, plans_document.release(req.query_string, found))
