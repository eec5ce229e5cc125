"""Decorators that check a request before its handler runs, and one check for handlers to call.

Decorators check from top to bottom, and clients see that order: most handlers check the version,
then content type or Accept, then policy. All but answer_is_json set an attribute on the handler,
such as `policy_rule`; openapi/ reads these attributes to describe the API.
Source: doc/reference/api/index.rst, "Errors and status codes".
"""

import functools
import logging

import webob.exc

from placement import errors
from placement.constants import JSON, JSON_LINES
from placement.environ import REASON
from placement.policy import Denied, Undecidable

LOG = logging.getLogger(__name__)


def available_since(behaviour, refusal=webob.exc.HTTPNotFound):
    """Decorate a handler: versions older than that of `behaviour` get `refusal`.

    `behaviour` is a member of microversion.Since, and `refusal` a class of webob's HTTP errors.
    """

    def decorate(handler):
        @functools.wraps(handler)
        def checked(req):
            if not req.since(behaviour):
                number = behaviour.number
                # The answer has no detail, like that of openstack-placement. The reason is for the
                # request log.
                req.environ[REASON] = f"This is not available before microversion {number}."
                raise refusal()
            return handler(req)

        checked.since = behaviour
        return checked

    return decorate


def body_is_json(handler):
    """Decorate a handler: a request whose media type is not application/json gets 415.

    The body is not read here: that may be expensive, and the caller may not be authorized.
    """

    @functools.wraps(handler)
    def checked(req):
        # webob gives "" both for a missing media type and for one that only has parameters.
        media_type = req.content_type or None
        if media_type != JSON:
            # webob's own message quotes the header from the environ.
            req.environ.setdefault("CONTENT_TYPE", str(None))
            raise webob.exc.HTTPUnsupportedMediaType(
                f"The media type {media_type} is not supported, use {JSON}"
            )
        return handler(req)

    checked.takes_json = True
    return checked


def answer_is_json(handler):
    """Decorate a handler: a request that does not accept application/json gets 406."""

    @functools.wraps(handler)
    def checked(req):
        # Most requests have exactly this value, and JSONByDefault puts it in place of a missing
        # header. Parsing takes longer than comparing, so only other values are parsed.
        if req.environ["HTTP_ACCEPT"] != JSON and not req.accept.acceptable_offers([JSON]):
            raise webob.exc.HTTPNotAcceptable(f"Only {JSON} is provided")
        return handler(req)

    return checked


def json_or_lines(req):
    """Return JSON or JSON_LINES, whichever the client prefers. Raises: HTTPNotAcceptable."""
    offers = req.accept.acceptable_offers([JSON, JSON_LINES])
    if not offers:
        raise webob.exc.HTTPNotAcceptable(f"Only {JSON} and {JSON_LINES} are provided")
    # `offers` has pairs of media type and quality, the best first.
    media_type, _ = offers[0]
    return media_type


def callers_project(req):
    """Return the caller's own project, to which most rules apply."""
    return req.context.project_id


def authorized(rule, project_id=callers_project):
    """Decorate a handler: a caller to whom policy denies `rule` gets 403.

    If policy cannot decide, the caller gets 503. `rule` is the name of a rule. `project_id` is a
    function that takes the request, and returns the id of the project that the rule applies to.
    """

    def decorate(handler):
        @functools.wraps(handler)
        def checked(req):
            target = {"project_id": project_id(req), "user_id": req.context.user_id}
            _authorize(req, rule, target)
            return handler(req)

        checked.policy_rule = rule
        return checked

    return decorate


def _authorize(req, rule, target):
    """Check that policy lets the caller of a request do what `rule` guards; log a refusal.

    `target` has the "project_id" and "user_id" that the rule applies to.
    Raises: HTTPForbidden, HTTPServiceUnavailable.
    """
    try:
        req.policy.authorize(rule, target, req.context)
        return
    except (Denied, Undecidable) as error:
        mistake = error
    # Inside the except clause, oslo.log would add the exception to the line, so this is outside.
    if isinstance(mistake, Denied):
        LOG.warning("%s", mistake.cause)
        req.environ[REASON] = mistake.cause
        raise webob.exc.HTTPForbidden(str(mistake)) from mistake
    LOG.error("Policy cannot be decided: %s", mistake)
    raise webob.exc.HTTPServiceUnavailable(
        "It cannot be determined at present whether policy allows this.",
        headers=[errors.retry_after()],
    ) from mistake
