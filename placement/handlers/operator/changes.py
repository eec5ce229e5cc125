"""GET /operator/changes."""

from oslo_utils import timeutils

from placement import exception, schemas
from placement.constants import JSON_LINES
from placement.documents import changes as documents
from placement.handlers.answering.response import respond, respond_with
from placement.handlers.requests.preconditions import authorized, json_or_lines
from placement.objects.feed import reading
from placement.queries import duration, moments

QUERY = schemas.operator.changes.query(reading.KINDS, moments.DATE, duration.PATTERN)


@authorized("placement:operator:read")
def list_all(req):
    """GET /operator/changes.

    Source: doc/how-to/changes.rst.
    """
    media_type = json_or_lines(req)
    query = req.query_matching(QUERY)
    newest_first = query.get("order") == "newest"
    if ("after" if newest_first else "before") in query:
        raise exception.BadQuery(
            "'after' needs order=oldest, the default, and 'before' needs order=newest"
        )
    read, start = (reading.page_before, "before") if newest_first else (reading.page_after, "after")
    changes, position = read(
        req.database,
        int(query[start]) if start in query else None,
        int(query.get("limit", reading.LIMIT)),
        _filters(req.database, query),
        _provider(req.database, query, "tree"),
    )
    document = _document(req, query, changes, position)
    if media_type == JSON_LINES:
        response = respond_with(200, list(documents.as_lines(document)))
        response.content_type = JSON_LINES
        return response
    return respond(200, document)


def _document(req, query, changes, position):
    """Return the document of StoredChanges, with sentences if the query asks for them."""
    if query.get("sentences") != "true":
        return documents.document(changes, position)
    places = reading.places(req.database, changes)
    return documents.document_in_words(changes, position, places)


def _filters(database, query):
    """Return the ChangeFilters in a query. Raises: BadQuery, NoSuchProvider."""
    provider = _provider(database, query, "provider")
    return reading.ChangeFilters(
        kind=query.get("kind"),
        providers=frozenset([provider]) if provider else None,
        consumer=query.get("consumer"),
        project=query.get("project"),
        actor=query.get("actor"),
        since=_moment(query, "since"),
        until=_moment(query, "until"),
    )


def _provider(database, query, name):
    """Return the UUID of the provider that a parameter names; None without that parameter.

    Raises: NoSuchProvider.
    """
    if name not in query:
        return None
    found = reading.find_provider(database, query[name])
    if found is None:
        raise exception.NoSuchProvider(query[name])
    return found


def _moment(query, name):
    """Return a parameter as a naive datetime in UTC; None if it is missing. Raises: BadQuery."""
    if name not in query:
        return None
    try:
        return moments.parsed(query[name], timeutils.utcnow())
    except ValueError as error:
        raise exception.BadQuery(f"Invalid value for {name}: {error}") from error
