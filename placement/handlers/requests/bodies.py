"""The body of a write to a provider, parsed before the transaction of the write begins."""

import webob.exc

from placement.objects import resource_provider as providers


def matching(req, validator):
    """Return req.json_matching(validator); a provider that does not exist is reported first.

    SQLite has one lock for all writers, so it must not be held while a body is parsed.
    Raises: ResourceProviderNotFound, HTTPBadRequest.
    Cost: one query if the body is refused, otherwise none.
    """
    try:
        return req.json_matching(validator)
    except webob.exc.HTTPBadRequest:
        with req.reader() as conn:
            providers.get(conn, req.path_variable("uuid"))
        raise
