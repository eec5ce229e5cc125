"""/traits, /traits/{name} and /resource_providers/{uuid}/traits.

Source: doc/reference/api/traits.rst.
"""

from placement import exception, schemas
from placement.handlers.answering import caching
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import (
    answer_is_json,
    authorized,
    available_since,
    body_is_json,
)
from placement.microversion import Since
from placement.objects import trait as traits

_ASSOCIATED = {"true": True, "false": False}


@available_since(Since.TRAITS)
@answer_is_json
@authorized("placement:traits:list")
def list_all(req):
    """GET /traits."""
    query = req.query_matching(schemas.trait.list_query())
    filters = {}
    if "name" in query:
        filters |= _name_filter(query["name"])
    if "associated" in query:
        filters["associated"] = _associated(query["associated"])
    with req.single_statement() as conn:
        rows = traits.list_matching(conn, **filters)
    body = {"traits": [row.name for row in rows]}
    return respond(200, body, **caching.headers(req, caching.latest(row.touched for row in rows)))


def _name_filter(value):
    """Return keyword arguments for traits.list_matching from `in:T1,T2` or `startswith:T`.

    Any other prefix filters nothing. Raises: BadQuery.
    """
    operator, colon, operand = value.partition(":")
    if not colon:
        raise exception.BadQuery(
            "Badly formatted name parameter. Expected name query string parameter in form: "
            f'?name=[in|startswith]:[name1,name2|prefix]. Got: "{value}"'
        )
    if operator == "in":
        return {"names": operand.split(",")}
    if operator == "startswith":
        return {"prefix": operand}
    return {}


def _associated(value):
    """Raises: BadQuery."""
    if value.lower() not in _ASSOCIATED:
        raise exception.BadQuery('The query parameter "associated" only accepts "true" or "false"')
    return _ASSOCIATED[value.lower()]


@available_since(Since.TRAITS)
@authorized("placement:traits:show")
def show(req):
    """GET /traits/{name}."""
    with req.single_statement() as conn:
        trait = traits.get(conn, req.path_variable("name"))
    return respond(204, **caching.headers(req, caching.latest([trait.created_at])))


@available_since(Since.TRAITS)
@authorized("placement:traits:update")
def ensure(req):
    """PUT /traits/{name}."""
    name = req.path_variable("name")
    if not schemas.trait.custom_name().is_valid(name):
        raise exception.InvalidTraitName()
    with req.writer() as conn:
        trait, is_new = traits.ensure(conn, name)
    return respond(
        201 if is_new else 204,
        location=f"{req.mount_prefix}/traits/{trait.name}",
        **caching.headers(req, caching.latest([trait.created_at])),
    )


@available_since(Since.TRAITS)
@authorized("placement:traits:delete")
def delete(req):
    """DELETE /traits/{name}."""
    with req.writer() as conn:
        traits.delete(conn, req.path_variable("name"))
    return respond(204)


@available_since(Since.TRAITS)
@answer_is_json
@authorized("placement:resource_providers:traits:list")
def list_of_provider(req):
    """GET /resource_providers/{uuid}/traits."""
    with req.single_statement() as conn:
        found = traits.of_provider(conn, req.path_variable("uuid"))
    return _traits_of(req, found.generation, found.names, [found.touched])


@available_since(Since.TRAITS)
@body_is_json
@authorized("placement:resource_providers:traits:update")
def replace_of_provider(req):
    """PUT /resource_providers/{uuid}/traits.

    Body: {"traits": [name, ...], "resource_provider_generation": int}.
    """
    # This does not use bodies.for_existing_provider(): here, a bad body has always been reported
    # first.
    body = req.json_matching(schemas.trait.replace())
    provider = _replace(req, body["traits"], body["resource_provider_generation"])
    # The answer lists the traits in the order of their ids; `wanted` is {name: id}.
    names = sorted(provider.wanted, key=provider.wanted.get)
    return _traits_of(req, provider.generation, names, [provider.touched])


@available_since(Since.TRAITS)
@authorized("placement:resource_providers:traits:delete")
def delete_of_provider(req):
    """DELETE /resource_providers/{uuid}/traits."""
    _replace(req, [])
    return respond(204)


def _replace(req, names, generation=None):
    """Make `names` the traits of the provider in the path. Return the ProviderForReplacement.

    Without a `generation`, the provider's is not checked. Agents send the same traits again and
    again; if none has changed, the provider is only read, and keeps its generation.
    """
    with req.writer() as conn:
        provider = traits.read_for_replacement(conn, req.path_variable("uuid"), names)
        if generation is not None:
            provider.check_generation(generation, exception.ProviderGenerationChanged)
        traits.replace(conn, provider, names)
    return provider


def _traits_of(req, generation, names, moments):
    """Return the response with a provider's traits; `moments` are when they changed, or None."""
    body = {"traits": names, "resource_provider_generation": generation}
    return respond(200, body, **caching.headers(req, caching.latest(moments)))
