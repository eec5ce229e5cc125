"""GET /operator/providers."""

from placement import cost, schemas
from placement.candidates.why import spelling
from placement.conf import opts
from placement.constants import JSON
from placement.documents import whole_providers
from placement.handlers.answering import error_prefixes
from placement.handlers.operator import spool
from placement.handlers.requests.preconditions import authorized, json_or_lines
from placement.objects import resource_provider as providers
from placement.objects.feed import reading
from placement.queries import provider_query

# The header with the position, in the feed of changes, of the last change that the answer shows.
# Answers in lines and a 304 have no other place for this position.
POSITION = "Placement-Changes-After"


def list_all_query(since):
    """Return a version's validator for GET /resource_providers, with `consumers` added."""
    return schemas.operator.whole_provider.query(provider_query.validator(since))


@authorized("placement:operator:read")
def list_all(req):
    """GET /operator/providers.

    Source: doc/how-to/everything.rst, doc/how-to/changes.rst.
    """
    media_type = json_or_lines(req)
    query = req.query_of_version(list_all_query)
    filters = provider_query.filters(query, req.since)
    # The position lets a client go on with GET /operator/changes.
    has_position = opts.keeps_changes(req.conf) and reading.try_to_assign_positions(req.database)
    req.check_abort()
    with spool.Spool(is_compressed=_reads_gzip(req)) as answer:
        with (
            error_prefixes.prefix_errors(error_prefixes.OF_PROVIDER_QUERIES),
            spelling.with_suggestions(req.database),
            req.reports() as conn,
        ):
            position = reading.position_of(req.database, conn) if has_position else None
            req.check_abort()
            with_allocations = query.get("consumers") == "true"
            batches = providers.whole(conn, filters, with_allocations)
            texts = _texts(req, batches)
            is_json = media_type == JSON
            shown = whole_providers.as_document if is_json else whole_providers.as_lines
            for piece in shown(texts):
                answer.write(piece)
            # The ETag depends only on the providers, not on the position.
            if is_json:
                answer.write_untagged(whole_providers.end_of_document(position))
        response = answer.response(req, media_type)
        if position is not None:
            response.headers[POSITION] = str(position)
        return response


def _reads_gzip(req):
    """Return whether the client asks for gzip. Without Accept-Encoding, it does not."""
    return "Accept-Encoding" in req.headers and bool(
        req.accept_encoding.acceptable_offers(["gzip"])
    )


def _texts(req, batches):
    """Yield the JSON of each provider, as long as the client waits.

    `batches` yields lists of WholeProviders. The time for rendering includes the time that the
    caller spends on each piece of JSON.
    """
    for batch in batches:
        req.check_abort()
        with cost.stage("rendering"):
            for provider in batch:
                yield whole_providers.as_json(provider)
