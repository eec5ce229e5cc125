"""The keys of the WSGI environ under which middleware and handlers pass values to each other."""

from oslo_middleware import request_id

# From the request log: the id of this request, and the id that the client sent, if any.
REQUEST_ID = request_id.ENV_REQUEST_ID
GLOBAL_REQUEST_ID = request_id.GLOBAL_REQ_ID
# From the request log, too: (client address, method, URI), in the form that is logged.
ASKED = "placement.asked"
# From the identity context: the RequestContext of the caller.
CONTEXT = "placement.context"
# From the negotiation: the microversion_parse.Version of the request.
MICROVERSION = "placement.microversion"
# From the dispatcher: what handlers need from the application, and the variables in the path.
CONFIGURATION = "placement.conf"
DATABASE = "placement.database"
POLICY = "placement.policy"
GIVEN_NAMES = "placement.given_names"
ROUTING_ARGUMENTS = "wsgiorg.routing_args"
# From the dispatcher, for the metrics: the declared URL, such as /traits/{name}. It is set only if
# a handler serves the method at that URL.
ROUTE = "placement.route"
# From the error document, for the metrics: the code of the error.
ERROR_CODE = "placement.error_code"
# For the request log: why a request was refused. A layer or a handler sets it if the log should say
# something other than what the client reads. Otherwise, middleware/refusal.py sets it.
REASON = "placement.reason"
# From a handler's first attempt, for any retries: the body, parsed and checked against its schema.
BODY = "placement.body"
