"""GET /operator/providers."""

import orjson
import webob.exc

from placement import cost, schemas
from placement.candidates import spelling
from placement.handlers import hangup, present, resource_provider, spool, wording
from placement.handlers.checks import JSON, authorized
from placement.objects import resource_provider as providers

LINES = "application/x-ndjson"


def list_all_query(since):
    """The query of GET /resource_providers of a version, with one parameter more."""
    return schemas.whole_provider.query(resource_provider.list_all_query(since))


@authorized("placement:operator:read")
def list_all(req):
    """GET /operator/providers: providers with all that they have, in one request.

    Filters are those of GET /resource_providers, in the microversion of the header or, without one,
    the newest; with consumers=true, allocations are shown, too. A client that prefers
    application/x-ndjson gets a line for each provider. All of it is of one moment.

    Raises: BadQuery, UnknownTraits, UnknownResourceClass.
    Source: doc/how-to/everything.rst.
    """
    offers = req.accept.acceptable_offers([JSON, LINES])
    if not offers:
        raise webob.exc.HTTPNotAcceptable(f"Only {JSON} and {LINES} are provided")
    media_type, _ = offers[0]
    query = req.query_matching(list_all_query(req.since))
    filters = resource_provider.filters_of(query, req.since)
    with spool.Spool(_reads_gzip(req)) as answer:
        with (
            wording.prefix_errors(resource_provider.PREFIXES_OF_LISTS),
            spelling.corrected(req.database),
            req.database.reports() as conn,
        ):
            batches = providers.whole(conn, filters, query.get("consumers") == "true")
            texts = _texts(req, batches)
            for piece in as_lines(texts) if media_type == LINES else as_document(texts):
                answer.write(piece)
        return answer.response(req, media_type)


def _reads_gzip(req):
    """Does the client say that it does? One that says nothing takes anything, by the standard."""
    return "Accept-Encoding" in req.headers and bool(
        req.accept_encoding.acceptable_offers(["gzip"])
    )


def _texts(req, batches):
    """Yield the JSON of each provider, as long as the client waits."""
    for batch in batches:
        hangup.check(req.environ)
        with cost.stage("rendering"):
            yield from [as_json(each) for each in batch]


def as_json(provider):
    """Return the JSON of a WholeProvider."""
    return orjson.dumps(present.whole_provider(provider))


def as_lines(texts):
    for text in texts:
        yield text + b"\n"


def as_document(texts):
    yield b'{"format":1,"resource_providers":['
    for number, text in enumerate(texts):
        yield b"," + text if number else text
    yield b"]}"
