"""Assembles the application."""

import gc
import logging

from oslo_config import cfg
from oslo_log import log

from placement import conf, distribution, policy
from placement.background import audit_events, capacity_sampler, feed_tidier, processes
from placement.conf import connection, opts
from placement.db import engine
from placement.db.faults import denials
from placement.db.schema import migrate, revisions, standard_names
from placement.db.schema.errors import CannotMigrate, NotMigrated
from placement.db.schema.foreign_writes import ForeignWrites
from placement.handler import ROUTE_DECLARATIONS, Dispatcher
from placement.middleware import auth
from placement.middleware.audit_events import Audit
from placement.middleware.cors import CrossOrigin
from placement.middleware.error_document import JSONByDefault
from placement.middleware.fault_wrap import ExpectedFaults, FaultWrapper
from placement.middleware.health import Health
from placement.middleware.identity import IdentityContext
from placement.middleware.metrics import Metrics
from placement.middleware.proxies import ProxyHeaders
from placement.middleware.requestlog import RequestLog
from placement.middleware.sizelimit import SizeLimit
from placement.middleware.version_negotiation import Negotiation
from placement.policies import files
from placement.web import description, docs_page, operator_page

LOG = log.getLogger(__name__)

# A large answer consists of a hundred thousand objects or more, which all live until it is sent.
# With the default of 700, Python would search them for garbage again and again.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000

# Errors whose cause an operator has to fix.
_MISTAKES = (
    audit_events.CannotAudit,
    auth.NotReady,
    cfg.Error,
    conf.BadLogging,
    connection.CannotConnect,
    denials.PrivilegeMissing,
    distribution.BothInstalled,
    files.Unreadable,
    CannotMigrate,
    NotMigrated,
)


class Refused(SystemExit):
    """This process cannot serve, and its log says why in one line.

    WSGI servers log the traceback of any exception except a SystemExit. If the exit status is 3,
    gunicorn does not try again.
    """

    def __init__(self):
        super().__init__(3)


def service():
    """Return the application for a process that serves, configured by the configuration files.

    First, this sets up the log, prepares the database (see _prepare), starts the threads that the
    configuration asks for, and makes Python collect garbage less often.
    Raises: Refused if an operator has to fix something; any other exception that prevents the
    start.
    """
    try:
        with denials.translated():
            application = _service()
    # Other errors pass through, so that their traceback is logged.
    except _MISTAKES as error:
        mistake = error
    else:
        _collect_less_garbage()
        return application
    # This is outside the except clause: inside, oslo.log would add the exception to the line.
    LOG.critical("The service does not start: %s", conf.sentence(mistake))
    raise Refused from mistake


def _collect_less_garbage():
    """Collect garbage less often, and never look at the objects that exist now.

    Processes that a server forks later inherit these settings.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])


def _service():
    """Return the application, after starting the threads that the configuration asks for."""
    distribution.check_alone()
    configuration = conf.for_service()
    conf.set_up_log(configuration)
    # Reading an option may log that its name is deprecated, so the log is set up first.
    conf.check_values(configuration)
    if configuration.log_options:
        configuration.log_opt_values(LOG, logging.DEBUG)
    database = connection.connect(configuration)
    exporter = exporter_of(configuration, database) if configuration.metrics.enabled else None
    application = start(configuration, database, exporter=exporter)
    if exporter is not None:
        exporter.begin_unless_forked()
    # A history that is kept for 0 days is switched off.
    if days := configuration.operator.capacity_history_days:
        replica_url = configuration.placement_database.slave_connection
        processes.in_each_process(capacity_sampler.Sampler(database, replica_url, days).begin)
    if days := configuration.operator.history_days:
        processes.in_each_process(feed_tidier.Tidier(database, days).begin)
    return application


def start(configuration, database, auth_strategy=None, exporter=None):
    """Return the application, after preparing its database; see _prepare().

    An `auth_strategy` overrides that of the configuration. `exporter` is a metrics.Exporter;
    without it, nothing is counted.
    Raises: whatever is wrong with the configuration or the database.
    """
    foreign_writes = ForeignWrites(database)
    application = compose(configuration, database, auth_strategy, foreign_writes, exporter)
    options = configuration.placement_database
    # This tries again because a server ends all its workers when one of them does not start.
    engine.retry_while_unreachable(
        lambda: _prepare(database, foreign_writes, configuration),
        max_retries=options.max_retries,
        retry_interval=options.retry_interval,
    )
    # A server may fork this process; the forks must not share its connections.
    database.disconnect()
    return application


def _prepare(database, foreign_writes, configuration):
    """Migrate the tables, or check their revision; correct derived sums; add standard names."""
    if configuration.placement_database.sync_on_startup:
        # The statements of `patient` have no time limit.
        with database.patient() as patient:
            migrate.upgrade(patient, has_history=opts.keeps_changes(configuration))
    else:
        revisions.check(database)
    foreign_writes.begin()
    standard_names.synchronise(database)


def compose(configuration, database, auth_strategy=None, foreign_writes=None, exporter=None):
    """Return the WSGI application: the dispatcher in its layers of middleware.

    `foreign_writes` is a ForeignWrites, which corrects derived sums after another program has
    written to the database; without it, triggers in the database must keep the sums right.
    `exporter` is a metrics.Exporter; without it, nothing is counted.
    The layers are added from the innermost outwards. Their order is part of the API: a request
    without a token, for instance, is refused before its microversion is looked at.
    """
    declarations = ROUTE_DECLARATIONS | description.DECLARATIONS
    if configuration.api.docs_page:
        declarations |= docs_page.DECLARATIONS
    if configuration.operator.page:
        declarations |= operator_page.DECLARATIONS
    rules = policy.Policy(configuration)
    application = Dispatcher(configuration, database, rules, foreign_writes, declarations)
    application = ExpectedFaults(application)
    application = Negotiation(application)
    application = FaultWrapper(application)
    application = IdentityContext(application)
    if configuration.audit.enabled:
        application = audited(application, configuration, exporter)
    if (auth_strategy or configuration.api.auth_strategy) == "noauth2":
        application = auth.NoAuth(application)
    else:
        application = auth.Keystone(application, configuration)
    application = SizeLimit(application, configuration.api.max_request_body_size)
    application = JSONByDefault(application)
    application = Health(application, configuration, database, rules)
    if exporter is not None:
        # The gauge says whether the policy files are unreadable.
        rules.show_on(exporter.requests.policy_unreadable)
        application = Metrics(application, exporter)
    if configuration.cors.allowed_origin:
        application = CrossOrigin(application, configuration)
    application = RequestLog(application, configuration.api.slow_request_seconds)
    if configuration.oslo_middleware.enable_proxy_headers_parsing:
        application = ProxyHeaders(application, configuration)
    return application


def audited(application, configuration, exporter=None):
    """Return an application that sends audit events about its requests. Raises: CannotAudit."""
    dropped = exporter.requests.audit_events_dropped if exporter is not None else None
    return Audit(application, configuration, audit_events.events_of(configuration, dropped))


def exporter_of(configuration, database):
    """Return the metrics.Exporter of a process."""
    # Imported here because it loads prometheus-client, which only a process that counts needs.
    from placement import metrics

    options = configuration.metrics
    requests = metrics.Requests()
    database.count_connections(requests.connections_in_use, requests.connections_waiting)
    ledger_gauges = metrics.LedgerGauges(
        _database_of_gauges(configuration, database),
        interval=options.ledger_interval,
        per_provider=options.per_provider,
    )
    flavors = None
    if options.flavors:
        flavors = metrics.FlavorGauges(
            _database_of_gauges(configuration, database),
            path=options.flavors,
            interval=options.flavor_interval,
            most_effort=configuration.placement.max_search_effort,
        )
    return metrics.Exporter(requests, ledger_gauges, options.listen, options.directory, flavors)


def _database_of_gauges(configuration, database):
    """Return a Database for gauges like that of requests, but with a connection of its own."""
    return database.sibling(
        replica_url=configuration.placement_database.slave_connection,
        max_pool_size=1,
        max_overflow=0,
    )
