"""The table of all URLs with their handlers, and how a request gets to its handler."""

import routes
import webob.exc

from placement.conf import opts
from placement.conf.operator_names import GivenNames
from placement.db import engine
from placement.db.feed import author
from placement.environ import (
    CONFIGURATION,
    CONTEXT,
    DATABASE,
    GIVEN_NAMES,
    POLICY,
    REASON,
    REQUEST_ID,
    ROUTE,
    ROUTING_ARGUMENTS,
)
from placement.handlers import (
    aggregate,
    allocation,
    allocation_candidate,
    inventory,
    reshaper,
    resource_class,
    resource_provider,
    root,
    trait,
    usage,
)
from placement.handlers.operator import (
    audit,
    capacity,
    capacity_history,
    changes,
    evacuation,
    explanation,
    find,
    fit,
    flavors,
    providers,
    query,
    release,
    service,
    survival,
)
from placement.handlers.requests import hangup
from placement.handlers.requests.request import Request
from placement.policies.public import is_public

# The order of methods is visible in the Allow header.
ROUTE_DECLARATIONS = {
    "/": {"GET": root.home},
    # The service may be mounted under a prefix after which clients write no slash.
    "": {"GET": root.home},
    "/resource_classes": {"GET": resource_class.list_all, "POST": resource_class.create},
    "/resource_classes/{name}": {
        "GET": resource_class.show,
        "PUT": resource_class.update,
        "DELETE": resource_class.delete,
    },
    "/resource_providers": {"GET": resource_provider.list_all, "POST": resource_provider.create},
    "/resource_providers/{uuid}": {
        "GET": resource_provider.show,
        "DELETE": resource_provider.delete,
        "PUT": resource_provider.update,
    },
    "/resource_providers/{uuid}/inventories": {
        "GET": inventory.list_all,
        "POST": inventory.create,
        "PUT": inventory.replace_all,
        "DELETE": inventory.delete_all,
    },
    "/resource_providers/{uuid}/inventories/{resource_class}": {
        "GET": inventory.show,
        "PUT": inventory.replace,
        "DELETE": inventory.delete,
    },
    "/resource_providers/{uuid}/usages": {"GET": usage.of_provider},
    "/resource_providers/{uuid}/aggregates": {
        "GET": aggregate.list_all,
        "PUT": aggregate.replace,
    },
    "/resource_providers/{uuid}/allocations": {"GET": allocation.list_of_provider},
    "/resource_providers/{uuid}/traits": {
        "GET": trait.list_of_provider,
        "PUT": trait.replace_of_provider,
        "DELETE": trait.delete_of_provider,
    },
    "/allocations": {"POST": allocation.replace_many},
    "/allocations/{consumer_uuid}": {
        "GET": allocation.list_of_consumer,
        "PUT": allocation.replace,
        "DELETE": allocation.delete,
    },
    "/allocation_candidates": {"GET": allocation_candidate.list_all},
    "/reshaper": {"POST": reshaper.move},
    "/traits": {"GET": trait.list_all},
    "/traits/{name}": {"GET": trait.show, "PUT": trait.ensure, "DELETE": trait.delete},
    "/usages": {"GET": usage.of_project},
    "/operator/explanation": {"GET": explanation.show},
    "/operator/fit": {"GET": fit.show, "POST": fit.show_mix},
    "/operator/flavors": {"GET": flavors.show},
    "/operator/evacuation": {"GET": evacuation.show},
    "/operator/release": {"GET": release.show},
    "/operator/survival": {"GET": survival.show},
    "/operator/query": {"POST": query.translate},
    "/operator/providers": {"GET": providers.list_all},
    "/operator/changes": {"GET": changes.list_all},
    "/operator/capacity": {"GET": capacity.show},
    "/operator/find": {"GET": find.find},
    "/operator/names": {"POST": find.names},
    "/operator/capacity/history": {"GET": capacity_history.show},
    "/operator/service": {"GET": service.show},
    "/operator/audit": {"GET": audit.audit, "POST": audit.repair},
}


class Dispatcher:
    """The innermost application: hands a request to its handler.

    policy: a policy.Policy
    foreign_writes: a ForeignWrites, which checks for writes by other programs before each handler
    declarations: {URL: {method: handler}}
    """

    def __init__(
        self, conf, database, policy, foreign_writes=None, declarations=ROUTE_DECLARATIONS
    ):
        # What each request finds in its environ.
        self._resources = {
            CONFIGURATION: conf,
            DATABASE: database,
            POLICY: policy,
            GIVEN_NAMES: GivenNames(conf.operator.names),
        }
        self._keeps_history = opts.keeps_changes(conf)
        most_retries = conf.placement.allocation_conflict_retry_count
        retry_seconds = conf.placement.allocation_conflict_retry_seconds
        self._handlers = {
            url: {
                method: engine.retry_on_conflict(
                    handler, retries=most_retries, seconds=retry_seconds
                )
                for method, handler in methods.items()
            }
            for url, methods in declarations.items()
        }
        self._mapper = _mapper(declarations)
        self._foreign_writes = foreign_writes

    def __call__(self, environ, start_response):
        environ.update(self._resources)
        return self._answer(environ)(environ, start_response)

    def _answer(self, environ):
        """Return the response of the handler for the path and the method. Raises: HTTPException."""
        _check_body_headers(environ)
        path = environ["PATH_INFO"]
        variables = self._mapper.match(path)
        # The mapper would ignore a newline at the end of the path.
        if variables is None or path.endswith("\n"):
            # The answer has no detail, like that of openstack-placement. The reason is for the
            # request log.
            environ[REASON] = "The API has no such path."
            raise webob.exc.HTTPNotFound()
        url = variables.pop("url")
        methods = self._handlers[url]
        handler = methods.get(environ["REQUEST_METHOD"])
        if handler is None:
            allowed = ", ".join(methods)
            environ[REASON] = f"This path has only these methods: {allowed}."
            raise webob.exc.HTTPMethodNotAllowed(
                "The method specified is not allowed for this resource.",
                headers=[("Allow", allowed)],
            )
        # The key is set only for methods that exist: a client could invent any number of others,
        # and the metrics would count each of them.
        environ[ROUTE] = url
        # The client may have given up while the request waited for a thread.
        hangup.check(environ)
        # If another program has written to the database, the sums that handlers read are wrong.
        # This corrects them.
        if self._foreign_writes is not None and not is_public(url):
            self._foreign_writes.check()
        environ[ROUTING_ARGUMENTS] = ((), variables)
        # The history names the author of each change that the handler makes.
        with author.acting(self._author(environ)):
            return handler(Request(environ))

    def _author(self, environ):
        """Return the Author of a request's changes; None for a GET, or if no history is kept."""
        if not self._keeps_history or environ["REQUEST_METHOD"] == "GET":
            return None
        caller = environ[CONTEXT]
        return author.Author(
            f"{environ['REQUEST_METHOD']} {environ[ROUTE]}",
            environ.get(REQUEST_ID),
            caller.user_id,
            caller.project_id,
        )


def _mapper(declarations):
    """Return a routes.Mapper, which maps /traits/X to {"url": "/traits/{name}", "name": "X"}."""
    mapper = routes.Mapper(controller_scan=None)
    for url in declarations:
        mapper.connect(url, url=url)
    mapper.create_regs()
    return mapper


def _check_body_headers(environ):
    """Raises: HTTPBadRequest for a body without Content-Type, whatever the URL."""
    try:
        length = int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        raise webob.exc.HTTPBadRequest("content-length header must be an integer") from None
    if length > 0 and not environ.get("CONTENT_TYPE"):
        raise webob.exc.HTTPBadRequest(
            "content-type header required when content-length > 0"
        )
