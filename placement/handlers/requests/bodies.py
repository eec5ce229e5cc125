"""The body of a write to a provider, parsed before the transaction of the write begins."""

import webob.exc

from placement.objects import resource_provider as providers


def for_existing_provider(req, validator):
    """Return the parsed body if `validator` accepts it; a missing provider is reported first.

    The provider is the one in the path. It is looked up only if the body is refused, and not in the
    transaction of the write: SQLite has one lock for all writers, which must not be held while a
    body is parsed.
    Raises: ResourceProviderNotFound, HTTPBadRequest.
    Cost: one query if the body is refused, otherwise none.
    """
    try:
        return req.json_matching(validator)
    except webob.exc.HTTPBadRequest:
        with req.reader() as conn:
            providers.get(conn, req.path_variable("uuid"))
        raise
