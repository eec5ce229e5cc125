"""The layers of WSGI middleware around the application, one per module; deploy.py composes them.

A request passes these layers in this order, and its answer passes them in reverse. The order is
part of the API: it decides which of several errors a client gets.

    proxies              if switched on: ProxyHeaders, before anything asks who the client is
    requestlog           otherwise the outermost: each answer has a request id and a line in the log
    cors                 if switched on; it is outside auth, because a preflight has no token
    metrics              if switched on; counts the requests that reach it
    health               outside auth, too: load balancers have no token
    error_document       JSONByDefault: inside it, errors are JSON unless the client prefers text
    sizelimit            before anything reads the body
    uwsgi_chunks         called by sizelimit: uWSGI leaves a body in chunks to the application
    auth                 keystone or noauth2: the caller's identity, in headers
    audit_events         if switched on: sends events about the requests of known callers
    identity             the headers from auth -> a RequestContext; 401 if they name no user
    fault_wrap           FaultWrapper: an unexpected exception becomes a 500 with the request id
    version_negotiation  the microversion; answers of the layers above do not name any
    fault_wrap           ExpectedFaults, innermost: an expected exception becomes its answer
    refusal              called by these layers: answers with an error, and notes its reason
    error_statuses       called by fault_wrap: the status, error code and document of an exception

Behind them is handler.Dispatcher. Called by deploy.py; openapi/ reads their tables of errors.
"""
