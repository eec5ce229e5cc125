# Settings of gunicorn for this service, to be used as
#
#     gunicorn --config /opt/placement/share/placement/gunicorn.conf.py \
#         placement.wsgi.api:application
#
# GUNICORN_CMD_ARGS and command-line options override them.

bind = "127.0.0.1:8778"

# As many as there are processors is a good start.
workers = 4
threads = 4

# A client that sends its request slowly occupies a thread, so these belong behind a web server that
# reads whole requests first (nginx.conf, apache.conf). If clients reach gunicorn directly, "gevent"
# (pip install gevent) lets slow ones wait without delaying others. But then each worker computes
# one request at a time: a long search for candidates, or a statement on PostgreSQL or SQLite,
# delays all others of its worker; and requests of clients that have gone are served to the end.
worker_class = "gthread"
# For gevent: clients of one worker at a time. For gthread: those that are waiting, too.
worker_connections = 1000

# A worker whose main loop is silent for this long is replaced. This does not limit single requests;
# options of placement.conf do.
timeout = 60
# A worker that has to stop gets this long to finish its requests.
graceful_timeout = 30

# An idle connection is closed after this time. Under gevent, it is also how long a client may take
# to send its headers.
keepalive = 5

# From release 25.1 on, gunicorn can be asked about its workers on a socket, by default in the home
# directory. Nothing here needs it. Older releases ignore the setting.
control_socket_disable = True

# Schedulers send long queries, such as a list of all aggregates that they do not want.
limit_request_line = 8190
# Tokens are the longest headers, and rarely have more than a few hundred characters. This also
# stops a client that sends headers slowly without end.
limit_request_fields = 50
limit_request_field_size = 8190

# By default, gunicorn lets anything that connects from this machine set SCRIPT_NAME and PATH_INFO
# in headers. A web server would pass on such headers from its clients, and the service would see
# a different path from the one that the web server saw. None of the shipped configurations uses
# them.
forwarder_headers = ""
# Other headers with an underscore, which WSGI takes for a "-", are dropped.
header_map = "drop"
# The header with which the shipped web server configurations say that the client uses https.
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}

# The length of bodies is limited by the service, with an answer that clients understand: [api]
# max_request_body_size.
