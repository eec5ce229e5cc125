"""The service's own options, by group, and its defaults for options of libraries.

Options that exist in openstack-placement keep their names, types and defaults; the others are our
own.
"""

import os

from oslo_config import cfg
from oslo_log import log
from oslo_middleware import cors

from placement import constants
from placement.microversion import Since

# The directory that holds the package.
BASE_DIRECTORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The owner of consumers whose client named none. Before Since.CONSUMER_OWNER, no client could.
UNKNOWN_OWNER = "00000000-0000-0000-0000-000000000000"

# The header with the microversion, as CORS names it.
VERSION_HEADER = "OpenStack-API-Version"

# A hundred years. The limit is needed because Python cannot represent a date a million days ago.
_MAX_DAYS = 36_500

# A value of allocation_candidates_generation_strategy.
BREADTH_FIRST = "breadth-first"

DEFAULT_OPTIONS = [
    cfg.StrOpt("tempdir", help="A working directory. The service does not use it."),
    cfg.StrOpt(
        "pybasedir",
        default=BASE_DIRECTORY,
        sample_default="<directory of the installed package>",
        help="The directory that contains the Python package placement.",
    ),
    cfg.StrOpt(
        "state_path",
        default="$pybasedir",
        help="The directory for files that must outlive a restart. There are none at present.",
    ),
]

# These are left out of the sample file, because their defaults suit every deployment.
LOG_OPTIONS = [
    cfg.BoolOpt(
        "log_options",
        default=True,
        help="Write the value of every option to the log (DEBUG) at start, secrets masked.",
    )
]

API_OPTIONS = [
    cfg.StrOpt(
        "auth_strategy",
        default="keystone",
        choices=[
            ("keystone", "Keystone validates the token of each request."),
            ("noauth2", "Any token is trusted, whatever it claims. Only for tests."),
        ],
        deprecated_group="DEFAULT",
        help="How the user behind a request is identified.",
    ),
    cfg.IntOpt(
        "max_request_body_size",
        default=10 * 1024 * 1024,
        min=1,
        help="The largest request body that is read, in bytes. A larger one is answered with "
        "status 413. The largest legitimate bodies are those of POST /reshaper and POST "
        "/allocations.",
    ),
    cfg.FloatOpt(
        "slow_request_seconds",
        default=5,
        min=0,
        help="A request that takes more seconds than this gets a second line in the log, a warning "
        "that says what took the time; 0 turns this off.",
    ),
    cfg.BoolOpt(
        "docs_page",
        default=False,
        help="Serve a page at /docs that shows the API and lets readers try out requests. It needs "
        "no token, reveals nothing about the cloud and loads nothing from elsewhere.",
    ),
]

PLACEMENT_OPTIONS = [
    cfg.BoolOpt(
        "randomize_allocation_candidates",
        default=False,
        help="When a request for allocation candidates has a limit, answer with a random "
        "sample of the candidates instead of the first that are found. Use it to spread load "
        "over hosts when the client does not weigh candidates itself. It takes precedence over "
        "rotate_allocation_candidates, and costs more because it examines all root providers.",
    ),
    cfg.BoolOpt(
        "rotate_allocation_candidates",
        default=True,
        help="When a request for allocation candidates has a limit, start the search at a random "
        "root provider. Every root provider is equally likely to come first; the others follow in "
        "the order of their creation, and the oldest follows the newest. If this is off, or the "
        "request has no limit, the search starts at the oldest: then a client never sees the "
        "candidates beyond its limit, and clients that ask at the same time get the same hosts.",
    ),
    cfg.StrOpt(
        "incomplete_consumer_project_id",
        default=UNKNOWN_OWNER,
        help="The project that is stored for consumers whose client does not name one. Clients "
        f"below microversion {Since.CONSUMER_OWNER.number} cannot.",
    ),
    cfg.StrOpt(
        "incomplete_consumer_user_id",
        default=UNKNOWN_OWNER,
        help="The user that is stored for consumers whose client does not name one. Clients "
        f"below microversion {Since.CONSUMER_OWNER.number} cannot.",
    ),
    cfg.IntOpt(
        "allocation_conflict_retry_count",
        default=10,
        min=0,
        help="How many times a request is retried as a whole after the database aborted its "
        "transaction because of a conflict with another one.",
    ),
    cfg.IntOpt(
        "allocation_conflict_retry_seconds",
        default=30,
        min=0,
        help="Seconds after which such a request is no longer retried, even if it could be. The "
        "answer is then 409.",
    ),
    cfg.IntOpt(
        "max_allocation_candidates",
        default=-1,
        min=-1,
        help="The largest number of allocation candidates for one request, whatever limit the "
        f"request names; -1 means {constants.MAX_CANDIDATES:,}, and 0 counts as 1.",
    ),
    cfg.IntOpt(
        "max_candidates_size",
        default=64 * 1024 * 1024,
        min=1024 * 1024,
        help="The largest answer to a request for allocation candidates, in bytes; each group of "
        "each candidate counts as at least 128. A request that would get more is answered with "
        "status 400; with a lower limit, it gets less. While it is built, an answer takes up "
        "to twice as much memory.",
    ),
    cfg.IntOpt(
        "max_search_effort",
        default=1_000_000,
        min=1000,
        help="The most effort that the search for allocation candidates may spend on one request. "
        "Each attempt to place a request group costs 1, each candidate 1, and each condition that "
        "is checked on a provider 1/4. An effort of 100,000 takes up to half a second of one core. "
        "Schedulers stay far below the default. A search that reaches the limit is stopped and "
        "logged. The client gets the candidates found so far, or status 400 if there are none. "
        "Explanations, fit counts and plans, including those of placement-manage, have the "
        "same limit, but fail when they reach it; with the default, they take two seconds at most. "
        "For these, the limit grows with the number of providers in a cloud of more than 50,000. "
        "When a plan is about the loss of hosts, each consumer also counts as ten providers.",
    ),
    cfg.StrOpt(
        "allocation_candidates_generation_strategy",
        default="depth-first",
        choices=[
            ("depth-first", "All candidates of one root provider, then those of the next."),
            (BREADTH_FIRST, "One candidate of each root provider in turn."),
        ],
        help="The order in which allocation candidates are found. It matters when a limit or "
        "max_allocation_candidates asks for fewer than there are: breadth-first then "
        "returns candidates on more hosts.",
    ),
]

OPERATOR_OPTIONS = [
    cfg.BoolOpt(
        "page",
        default=False,
        help="Serve a page at /operator/ that shows the cloud: how full it is, its hosts, why a "
        "request finds no host, how many more instances fit, and whether the ledger is right. The "
        "page itself needs no token and loads nothing from elsewhere. It reads the cloud with the "
        "token of its user, which it keeps only for the browser tab.",
    ),
    cfg.IntOpt(
        "capacity_history_days",
        default=400,
        min=0,
        max=_MAX_DAYS,
        help="For how many days to keep the samples of the capacity. One of the processes that "
        "serve requests takes a sample every hour; 0 turns this off.",
    ),
    cfg.StrOpt(
        "names",
        help="The path of a file with names for UUIDs of aggregates, projects, users and "
        "consumers: a JSON object with a name for each UUID. The page and placement-manage show "
        "the names beside the UUIDs. The file is read again when it changes.",
    ),
    cfg.IntOpt(
        "history_days",
        default=30,
        min=0,
        max=_MAX_DAYS,
        help="For how many days to keep the changes that GET /operator/changes and "
        "'placement-manage history' show. With 0, nothing is recorded.",
    ),
]

# Other services have options with the same names.
AUDIT_OPTIONS = [
    cfg.BoolOpt(
        "enabled",
        default=False,
        help="Send audit events (CADF) about requests, as configured in "
        "[audit_middleware_notifications] and [oslo_messaging_notifications]; if neither names a "
        "driver, they go to the log.",
    ),
    cfg.StrOpt(
        "audit_map_file",
        help="A file that defines how events name the targets of requests, in the format of "
        "keystonemiddleware. The default is a file of this package, middleware/audit_map.conf.",
    ),
    cfg.ListOpt(
        "ignore_req_list",
        default=["GET", "HEAD", "OPTIONS"],
        help="Methods of requests about which no events are sent.",
    ),
    cfg.IntOpt(
        "queue_size",
        default=2000,
        min=1,
        help="How many events may wait in a process for a broker that is down or slow; further "
        "ones are dropped, and counted. Each request sends two events, of about 5 KB each.",
    ),
]

METRICS_OPTIONS = [
    cfg.BoolOpt(
        "enabled",
        default=False,
        help="Count requests, and answer GET /metrics on a separate port, in the text format of "
        "Prometheus.",
    ),
    cfg.StrOpt(
        "listen",
        default="127.0.0.1:9778",
        regex=r"(\[[^\[\]]+\]|[^:\[\]]+):[0-9]{1,5}$",
        help="The host and port of GET /metrics, such as 192.0.2.11:9778, [::1]:9778 or "
        "0.0.0.0:9778. Anyone who can reach it sees the names of all providers, without a token. "
        "All processes of a server listen there; two services on one machine need two ports.",
    ),
    cfg.StrOpt(
        "directory",
        help="A directory in which the processes of a server add up their counts. Without it, each "
        "process reports only its own. No other service may use the same directory.",
    ),
    cfg.IntOpt(
        "ledger_interval",
        default=15,
        min=0,
        help="The minimum number of seconds between two readings of the ledger by one process. The "
        "metric placement_ledger_age_seconds shows how old the numbers are.",
    ),
    cfg.BoolOpt(
        "per_provider",
        default=True,
        help="Report each inventory of each provider. 10,000 hosts with three classes make 120,000 "
        "series. If this is off, each metric has only one series for each class.",
    ),
    cfg.StrOpt(
        "flavors",
        help="The path of a file of flavors, as 'openstack flavor list --long -f json' prints "
        "them, or with a name and a query on each line. The metric placement_flavor_fit, and the "
        "page for operators, say how many more of each fit. The file is read again for each "
        "count.",
    ),
    cfg.IntOpt(
        "flavor_interval",
        default=60,
        min=1,
        help="The minimum number of seconds between two counts of all flavors by one process. A "
        "count uses at most a twentieth of a processor, so it takes longer in a large cloud.",
    ),
]

WORKAROUNDS_OPTIONS = [
    cfg.BoolOpt(
        "optimize_for_wide_provider_trees",
        default=False,
        help="Accepted for compatibility, but without effect: the search for candidates always "
        "discards impossible combinations early.",
    )
]

DATABASE_OPTIONS = [
    cfg.StrOpt(
        "connection",
        secret=True,
        required=True,
        help="The URL of the database, in the format of SQLAlchemy: "
        "mysql+pymysql://user:password@host/placement, "
        "postgresql+psycopg2://user:password@host/placement, or "
        "sqlite:////var/lib/placement/placement.db. The drivers mysql+mysqldb (mysqlclient) and "
        "postgresql+psycopg (psycopg 3) are supported, too; no others are.",
    ),
    cfg.StrOpt(
        "connection_parameters",
        default="",
        help="Parameters that are added to the URL, written as param1=value1&param2=value2. They "
        "replace parameters of the URL with the same names.",
    ),
    cfg.BoolOpt(
        "sqlite_synchronous",
        default=True,
        help="Make SQLite wait until its changes are on the disk.",
    ),
    cfg.StrOpt(
        "slave_connection",
        secret=True,
        help="The URL of a replica, which serves reports, such as audits and explanations; "
        "while it does not answer, the primary serves them. The rest of the API never reads from "
        "it, because a client must see what it has just written.",
    ),
    cfg.StrOpt(
        "mysql_sql_mode",
        default="TRADITIONAL",
        help="The SQL mode of MySQL sessions; an empty value keeps that of the server.",
    ),
    cfg.IntOpt(
        "connection_recycle_time",
        default=3600,
        help="Seconds after which a pooled connection is replaced when it is next used.",
    ),
    cfg.IntOpt(
        "max_pool_size",
        help="Connections that a process keeps open; unset means SQLAlchemy's default.",
    ),
    cfg.IntOpt(
        "max_retries",
        default=10,
        help="How many times a starting process tries to reach the database; -1 means forever.",
    ),
    cfg.IntOpt(
        "retry_interval",
        default=10,
        help="Seconds between two of these attempts.",
    ),
    cfg.IntOpt(
        "max_overflow",
        help="Connections that a process may open beyond max_pool_size; unset means "
        "SQLAlchemy's default.",
    ),
    cfg.IntOpt(
        "connection_debug",
        default=0,
        min=0,
        max=100,
        help="How much SQL is logged: 0 logs nothing, 50 or more logs statements, and 100 "
        "also logs their results.",
    ),
    cfg.BoolOpt(
        "connection_trace",
        default=False,
        help="Add to each SQL statement a comment with the place in the Python code that sends it.",
    ),
    cfg.IntOpt(
        "pool_timeout",
        default=10,
        min=0,
        help="Seconds to wait for a pooled connection while all of them are in use. After that, "
        "as with the other timeouts, the answer is 503.",
    ),
    cfg.IntOpt(
        "connect_timeout",
        default=5,
        min=1,
        help="Seconds to wait for a new connection, and for the check that a pooled one still "
        "works. Driver options in the URL take precedence.",
    ),
    cfg.IntOpt(
        "statement_timeout",
        default=30,
        min=1,
        help="Seconds that a statement may take, and that a writing transaction may take as a "
        "whole, from the wait for a connection to the commit; after that, the transaction is "
        "rolled back. If the server does not answer at all, the service gives up a second "
        "later. Commands and migrations have no such limit.",
    ),
    cfg.IntOpt(
        "lock_timeout",
        default=15,
        min=1,
        help="Seconds to wait for a lock that another transaction holds. After that, the request "
        "is retried, as after other conflicts; on SQLite, the answer is 503.",
    ),
    cfg.BoolOpt(
        "sync_on_startup",
        default=False,
        help="Upgrade the database to the newest revision when the service starts. Several "
        "processes may do so at once: one does the work, and the others wait.",
    ),
]

OPTIONS = {
    # oslo.config's name for the group DEFAULT is None.
    None: DEFAULT_OPTIONS + LOG_OPTIONS,
    "api": API_OPTIONS,
    "audit": AUDIT_OPTIONS,
    "metrics": METRICS_OPTIONS,
    "operator": OPERATOR_OPTIONS,
    "placement": PLACEMENT_OPTIONS,
    "placement_database": DATABASE_OPTIONS,
    "workarounds": WORKAROUNDS_OPTIONS,
}

# Options of [placement_database] that are passed to oslo.db unchanged.
ENGINE_OPTIONS = (
    "connection_debug",
    "connection_parameters",
    "connection_recycle_time",
    "connection_trace",
    "max_overflow",
    "max_pool_size",
    "max_retries",
    "mysql_sql_mode",
    "pool_timeout",
    "retry_interval",
    "sqlite_synchronous",
)


def engine_options(conf):
    """Return the options of the database, as keyword arguments of engine.connect."""
    options = {name: conf.placement_database[name] for name in ENGINE_OPTIONS}
    return options | {"replica_url": conf.placement_database.slave_connection}


def incomplete_consumer_owner(conf):
    """Return (project, user): the owner of consumers whose client did not name one."""
    options = conf.placement
    return options.incomplete_consumer_project_id, options.incomplete_consumer_user_id


def keeps_changes(conf):
    """Return whether changes are recorded for the feed of changes."""
    return conf.operator.history_days > 0


def timeouts(conf):
    """Return the fields of a db.engine.timeouts.Timeouts, {name: seconds}."""
    options = conf.placement_database
    return {
        "connect": options.connect_timeout,
        "statement": options.statement_timeout,
        "lock": options.lock_timeout,
    }


def list_opts():
    """Return [(group, options)] for the generator of the sample file."""
    return list({**OPTIONS, None: DEFAULT_OPTIONS}.items())


def set_library_defaults():
    """Give options of libraries the defaults that suit this service."""
    levels = [
        "routes=INFO",
        # We report the migrations ourselves.
        "alembic=WARNING",
        # keystonemiddleware warns about options for its audit middleware, although it knows them.
        "keystonemiddleware._common.config=ERROR",
        # oslo.db warns, with a traceback, about errors that it raises and that we log ourselves.
        "oslo_db.sqlalchemy.exc_filters=ERROR",
        # oslo.db also does so after the last of several attempts.
        "oslo_db.api=CRITICAL",
    ]
    log.set_defaults(default_log_levels=[*log.get_default_log_levels(), *levels])
    cors.set_defaults(
        allow_headers=[
            "X-Auth-Token",
            "X-Openstack-Request-Id",
            "X-Identity-Status",
            "X-Roles",
            "X-Service-Catalog",
            "X-User-Id",
            "X-Tenant-Id",
            VERSION_HEADER,
        ],
        expose_headers=[
            "X-Auth-Token",
            "X-Openstack-Request-Id",
            "X-Subject-Token",
            "X-Service-Token",
            VERSION_HEADER,
        ],
        allow_methods=["GET", "PUT", "POST", "DELETE", "PATCH"],
    )
