"""/usages and /resource_providers/{uuid}/usages.

Source: doc/reference/api/usages.rst.
"""

from placement import schemas
from placement.handlers.answering import caching
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import answer_is_json, authorized, available_since
from placement.microversion import Since, version_flags
from placement.objects import usage as usages


@answer_is_json
@authorized("placement:resource_providers:usages")
def of_provider(req):
    """GET /resource_providers/{uuid}/usages."""
    with req.single_statement() as conn:
        generation, used = usages.of_provider(conn, req.path_variable("uuid"))
    body = {"resource_provider_generation": generation, "usages": dict(used)}
    return respond(200, body, **caching.headers(req, caching.now()))


def _asked_project(req):
    """Return the project that the query names, for the policy to judge; None if it names none."""
    return req.query.get("project_id")


def of_project_query(since):
    """Return the schema of the query."""
    return schemas.usage.list_query(**version_flags.usages_of_project(since))


@available_since(Since.PROJECT_USAGES)
@answer_is_json
@authorized("placement:usages", project_id=_asked_project)
def of_project(req):
    """GET /usages."""
    query = req.query_of_version(of_project_query)
    with req.single_statement() as conn:
        used = _used(conn, query, **version_flags.usages_of_project(req.since))
    return respond(200, {"usages": used}, **caching.headers(req, caching.now()))


def _used(conn, query, *, by_consumer_type):
    """Return the usages that an accepted query asks for, in the form that the answer shows."""
    owner = query["project_id"], query.get("user_id")
    if by_consumer_type:
        return usages.of_project_by_type(conn, *owner, query.get("consumer_type"))
    return usages.of_project(conn, *owner)
