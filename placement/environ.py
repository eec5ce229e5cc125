"""The keys of the WSGI environ under which the layers of a request pass values to each other."""

from oslo_middleware import request_id

# From the request log: the id of this request, and the id that the client sent, if any.
REQUEST_ID = request_id.ENV_REQUEST_ID
GLOBAL_REQUEST_ID = request_id.GLOBAL_REQ_ID
# From the request log, too: (client address, method, URI), as they are logged.
ASKED = "placement.asked"
# From the identity context: the RequestContext of the caller.
CONTEXT = "placement.context"
# From the negotiation: the microversion_parse.Version.
MICROVERSION = "placement.microversion"
# From the dispatcher: the parts of the application, and the variables of the path.
CONFIGURATION = "placement.conf"
DATABASE = "placement.database"
POLICY = "placement.policy"
GIVEN_NAMES = "placement.given_names"
ROUTING_ARGUMENTS = "wsgiorg.routing_args"
# From the dispatcher, for the metrics: the declared URL, with the names of its variables, if a
# handler serves the method there.
ROUTE = "placement.route"
# From the error document, for the metrics: the code of the error.
ERROR_CODE = "placement.error_code"
# For the request log: why a request was refused. A layer, or a handler, sets it only if the log
# should say something other than what the client reads; otherwise, middleware/refusal.py does.
REASON = "placement.reason"
# From the first attempt of a handler: the body, parsed and found to match its schema.
BODY = "placement.body"
