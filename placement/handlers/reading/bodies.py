"""The body of a write to a provider, parsed before the transaction of the write begins."""

import webob.exc

from placement.objects import resource_provider as providers


def matching(req, validator):
    """Return what req.json_matching does; if the provider does not exist, that is raised first.

    SQLite has one lock for all writers: none must wait for it while a body is parsed.
    Raises: ResourceProviderNotFound, HTTPBadRequest.
    Cost: one query for a body that is refused, none for any other.
    """
    try:
        return req.json_matching(validator)
    except webob.exc.HTTPBadRequest:
        with req.reader() as conn:
            providers.get(conn, req.path_variable("uuid"))
        raise
