# Settings of gunicorn for this service, to be used as
#
#     gunicorn --config /opt/placement/share/placement/gunicorn.conf.py \
#         placement.wsgi.api:application
#
# GUNICORN_CMD_ARGS, and options of the command, go before them.

bind = "127.0.0.1:8778"

# As many as there are processors is a good start.
workers = 4
threads = 4

# A thread is held by a client that sends its request slowly, so these belong behind a web server
# that reads whole requests first (nginx.conf, apache.conf). Where clients reach gunicorn itself,
# "gevent" (pip install gevent) lets slow ones wait beside each other. There, one request at a time
# is computed in each worker, and a long search for candidates delays all others of its worker; so
# does a statement on PostgreSQL or SQLite, and a client that has gone is served to the end.
worker_class = "gthread"
# For gevent: clients of one worker at a time. For gthread: those that are waiting, too.
worker_connections = 1000

# A worker whose main loop is silent for so long is replaced. It does not end a single request:
# what bounds those are the options of placement.conf.
timeout = 60
# A worker that is to stop finishes what it has, for so long.
graceful_timeout = 30

# An idle connection is closed after this time. Under gevent, it is also how long a client may take
# to send its headers.
keepalive = 5

# From release 25.1 on, gunicorn can be asked about its workers on a socket, by default in the home
# directory. Nothing here needs it. Older releases do not know the setting, and pass over it.
control_socket_disable = True

# Schedulers send long queries, such as a list of all aggregates that they do not want.
limit_request_line = 8190
# Tokens are the longest headers, and seldom have more than some hundred characters. A client that
# drips them has to come to an end, too.
limit_request_fields = 50
limit_request_field_size = 8190

# By itself, gunicorn lets whatever connects from this machine name SCRIPT_NAME and PATH_INFO in
# headers, as some web servers do, and passes on what their clients send: the service would see
# another path than the web server did. None of those that are shipped uses it.
forwarder_headers = ""
# Other headers with an underscore, which WSGI takes for a "-", are dropped.
header_map = "drop"
# Of the ways to say that the client uses https, the one of the web servers that are shipped.
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}

# The length of bodies is limited by the service, with an answer that clients understand: [api]
# max_request_body_size.
