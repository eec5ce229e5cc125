"""The numbers in the documentation, and in descriptions, are those of the code.

The documentation also has numbers that were measured, and those of examples; no test knows them.
"""

import configparser
import fractions
import json
import pathlib
import re

import testtools

from placement import constants, openapi, policy
from placement.background import audit_events, log_throttle, periodic
from placement.candidates import close_names, effort, search
from placement.candidates.plans import evacuation, moves
from placement.candidates.why import explain, spelling
from placement.cmd import progress
from placement.cmd.questions import history
from placement.conf import operator_names, opts
from placement.db.engine import breaker, connecting
from placement.db.feed import positions, pruning
from placement.db.schema import foreign_writes, migration_lock, table_locks
from placement.db.search import every_tree, narrowing, small_cloud
from placement.handlers.requests import request
from placement.metrics import client as metrics_client
from placement.metrics import exporter, flavor_gauges, ledger_gauges, listener
from placement.microversion import Since
from placement.middleware import error_document, health, requestlog, sizelimit
from placement.objects import find_by_name, recent_capacity
from placement.objects.capacity_history import past_capacity, trend
from placement.objects.feed import reading
from placement.queries import duration
from placement.schemas import common, violations
from placement.schemas.operator import capacity_history, explanation, fit

REPOSITORY = pathlib.Path(__file__).parents[2]
DOC, SHIPPED = REPOSITORY / "doc", REPOSITORY / "etc" / "placement"
PAGE = REPOSITORY / "placement" / "web" / "page"
_WORDS = {
    0.5: "half a",
    1: "one",
    2: "two",
    3: "three",
    5: "five",
    6: "six",
    7: "seven",
    10: "ten",
    1000: "a thousand",
    1_000_000: "a million",
}
_TIMES = {2: "twice"}
_SHARES = {fractions.Fraction(1, 20): "a twentieth"}
_WEEKS = {7: "a week", 28: "four weeks"}
_MEMBERS, _OBJECTS = request.MOST_PARTS[b","][0], request.MOST_PARTS[b"{"][0]


def words(number):
    """Return a number as it is written in prose."""
    return _WORDS.get(number) or f"{number:,}"


def seconds(number):
    """Return whole seconds as they are written in prose: in minutes if possible."""
    count, noun = (number // 60, "minute") if number % 60 == 0 else (number, "second")
    return f"{words(count)} {noun}{'' if count == 1 else 's'}"


def a(time):
    """Return a time such as "one minute" as "a minute"."""
    return time.replace("one ", "a ", 1)


def literals(examples):
    """Return examples such as "48h or 8w" as a page shows them: each as literal text."""
    return re.sub(r"\d+\w", r"``\g<0>``", examples)


def mib(number):
    return f"{number // 2**20} MiB"


def option(name):
    """Return an option of the service."""
    return next(
        each for options in opts.OPTIONS.values() for each in options if each.name == name
    )


def constants_of(name, *path):
    """Return the values of a constant in a module of the page: one, or none if it is missing."""
    source = PAGE.joinpath(*path).read_text()
    return re.findall(rf"^const {name} = (\d+);$", source, re.MULTILINE)


class Numbers(testtools.TestCase):
    def assert_on(self, page, *sentences):
        """Check that a page has sentences, whatever the line breaks."""
        text = " ".join((DOC / f"{page}.rst").read_text().split())
        for sentence in sentences:
            self.assertIn(sentence, text)

    def test_pages_about_the_search_have_its_limits(self):
        most_sets = (
            f"At most {narrowing.MOST_REQUIREMENTS} requirements, and no provider id above "
            f"{narrowing.LARGEST_ID_ALWAYS_READ:,} or above {narrowing.IDS_FOR_EACH} times the "
            "number of candidates wanted, whichever is more. Never with an id above "
            f"{narrowing.LARGEST_ID_EVER_READ:,}."
        )
        rare = (
            f"At most {narrowing.MOST_RARE:,} providers meet it, and there are at least "
            f"{narrowing.FEWEST_ROOTS} roots, and {_TIMES[narrowing.SHARE]} as many roots"
        )
        halves, whole = narrowing.sizes(True, 1000), narrowing.sizes(False, 1000)
        self.assertEqual((2, 1), (len(halves), len(whole)))
        self.assert_on(
            "explanation/search",
            f"With at most {small_cloud.MOST_PROVIDERS:,} providers, one statement",
            f"texts of more than {words(small_cloud.MOST_CHARACTERS)} characters",
            f"For the next {words(small_cloud.MOST_SKIPPED).split()[1]} queries",
            f"At most {narrowing.MOST_AT_FIRST_SIGHT} roots are wanted, in order.",
            f"{narrowing.WINDOW} times as many as are wanted",
            most_sets,
            f"the limit of {narrowing.IDS_FOR_EACH}. Above {narrowing.LARGEST_ID_EVER_READ:,} ids",
            rare,
            f"among fewer than {narrowing.FEWEST_ROOTS} roots",
            f"has {narrowing.SPARE_ROOTS} more roots than the number of candidates wanted",
            f"more than {narrowing.MOST_AT_FIRST_SIGHT} candidates wanted, the batch is halved",
            f"reads {halves[0]} trees instead of {whole[0]:,}",
        )
        self.assert_on(
            "explanation/speed", f"Up to {small_cloud.MOST_PROVIDERS:,} providers, one statement"
        )

    def test_pages_about_refusals_have_the_limits_of_requests(self):
        self.assert_on(
            "reference/differences",
            f"at most {constants.MAX_CANDIDATES:,} candidates",
            f"at most {mib(option('max_candidates_size').default)} (``[placement] "
            "max_candidates_size``)",
            f"counts as at least {search.BYTES_OF_A_GROUP} bytes",
            f"takes {words(sizelimit.MOST_CPU_SECONDS)} second of CPU time",
            f"- {common.MOST_MEMBERSHIPS:,} traits, or aggregates",
            f"- {common.MOST_RESOURCES:,} resource classes of a provider's inventories",
            f"{common.MOST_RESOURCES:,} providers that one consumer takes from",
            f"- {common.MOST_CONSUMERS:,} consumers in ``POST /allocations``; "
            f"{common.MOST_RESHAPED:,} providers, or consumers, in a reshape",
            f"- {constants.MOST_IN_A_REQUEST:,} amounts in all allocations of a request; "
            f"{constants.MOST_IN_A_REQUEST:,} inventories in a reshape",
            f"- {_OBJECTS:,} objects, or {words(_MEMBERS)} members of objects and lists",
            f"the first {violations.MOST_VIOLATIONS:,} violations",
            f"more than {violations.LONGEST_TEXT:,} characters is shortened",
            f"more than {error_document.LONGEST_DETAIL:,} characters, or of "
            f"{error_document.LONGEST_OF_MANY_TAGS:,} if it contains more than "
            f"{error_document.MOST_TAGS} ``<``",
            f"locked for {connecting.SQLITE_BUSY_SECONDS} seconds",
            f"pool_timeout`` is {option('pool_timeout').default} by default",
        )
        self.assert_on("reference/api/operator", f"{constants.MAX_QUERY_CHARACTERS:,} characters")
        self.assert_on(
            "explanation/rules",
            f"no more than {constants.MOST_IN_A_REQUEST:,} amounts",
        )
        self.assert_on(
            "how-to/web-server",
            f"``[api] max_request_body_size``, {mib(option('max_request_body_size').default)}",
        )

    def test_pages_about_commands_have_their_times_and_defaults(self):
        self.assert_on(
            "reference/placement-manage",
            f"for {seconds(table_locks.WAIT_SECONDS)} at a time; meanwhile",
            f"The commands give up after {seconds(migration_lock.SECONDS)}.",
            f"once they have run for {a(seconds(progress.DELAY_SECONDS))}",
            f"{explanation.CLOSEST} by default, at most {explanation.MOST_CLOSEST}",
            f"look for new changes once {a(seconds(history.INTERVAL))}",
            f"read and printed {words(reading.LIMIT)} at a time",
            f"during this time, such as {literals(duration.EXAMPLES)}:",
        )
        self.assert_on(
            "how-to/database", f"on other nodes do so after {seconds(migration_lock.SECONDS)}"
        )

    def test_pages_for_operators_have_the_limits_of_their_answers(self):
        self.assert_on("how-to/audit", f"up to {words(constants.MOST_EXAMPLES)} examples")
        self.assert_on(
            "how-to/capacity",
            f"in a cloud of at least {recent_capacity.MANY_HOSTS:,} hosts",
            f"the same sums for {a(seconds(recent_capacity.KEPT_SECONDS))}",
            f"{past_capacity.MOST_STEPS:,} steps, and {past_capacity.MOST_POINTS:,} samples",
            f"each of the last {trend.MOST_DAYS} days",
            f"fewer than {words(trend.FEWEST_DAYS)} such days",
            f"longer than {words(trend.HORIZON_DAYS // 365)} years to fill",
        )
        self.assert_on(
            "explanation/reliability",
            f"a cloud of at least {recent_capacity.MANY_HOSTS:,} hosts, ``GET /operator/capacity`` "
            f"gives the same sums for {a(seconds(recent_capacity.KEPT_SECONDS))}",
        )
        self.assert_on(
            "how-to/find",
            f"At most {words(find_by_name.MOST)} of each kind",
            f"up to {mib(operator_names.MOST_BYTES)}",
        )
        self.assert_on(
            "how-to/fit",
            f"by default {fit.TOP} and at most {fit.MOST_TOP:,}",
            f"{every_tree.AT_ONCE:,} at a time",
            f"a cloud of more than {effort.MANY_PROVIDERS:,} providers",
        )
        self.assert_on(
            "how-to/no-valid-host",
            f"{explain.BATCH:,} at a time",
            f"a cloud of {effort.MANY_PROVIDERS:,} providers",
            f"Up to {words(close_names.MOST_SUGGESTIONS)} names are suggested for each of the "
            f"first {words(spelling.MOST_CORRECTED)} unknown names",
        )
        self.assert_on("how-to/planning", f"in up to {words(moves.ROUNDS)} rounds")

    def test_pages_about_changes_have_the_sizes_of_their_batches(self):
        self.assert_on(
            "how-to/changes",
            f"about once {a(seconds(periodic.INTERVAL))}, {words(pruning.BATCH)} at a time",
        )
        self.assert_on(
            "explanation/changes", f"reads up to {words(positions.BATCH)} committed rows"
        )

    def test_pages_say_how_long_the_service_waits_and_remembers(self):
        self.assert_on(
            "explanation/takeover",
            f"notice the change within {a(seconds(foreign_writes.GENERATION_SECONDS))}",
            f"fuller than they are for up to {a(seconds(foreign_writes.SUM_SECONDS))}",
            f"are noticed within {a(seconds(foreign_writes.SUM_SECONDS))}",
        )
        self.assert_on(
            "reference/policy", f"tried again every {words(policy.TRY_AGAIN)} seconds"
        )
        self.assert_on(
            "how-to/database", f"get 503 after {a(seconds(breaker.TRIAL_SECONDS))}"
        )
        self.assert_on(
            "how-to/deployers/kolla-ansible",
            f"after at most {option('allocation_conflict_retry_seconds').default} seconds",
        )
        self.assert_on(
            "how-to/logs",
            f"503 within {health.SECONDS} seconds",
            f"cut after {requestlog.LONGEST_REASON} characters",
        )

    def test_pages_have_the_defaults_of_options(self):
        def default(name):
            value = option(name).default
            return {True: "on", False: "off"}[value] if isinstance(value, bool) else value

        self.assert_on(
            "explanation/rules",
            *(
                f"``{name}`` ({default(name)} by default)"
                for name in ("rotate_allocation_candidates", "randomize_allocation_candidates")
            ),
        )
        self.assert_on(
            "explanation/reliability",
            f"sqlite_synchronous`` is {default('sqlite_synchronous')} by default",
        )
        self.assert_on(
            "how-to/capacity",
            f"capacity_history_days``, {default('capacity_history_days')} by default; 0 stops it",
        )
        self.assert_on(
            "how-to/logs", f"slow_request_seconds``, {default('slow_request_seconds')} by default"
        )
        self.assert_on(
            "how-to/sizing",
            f"max_candidates_size`` at its default of {mib(default('max_candidates_size'))}",
        )
        self.assert_on(
            "how-to/flavors", f"``flavor_interval`` seconds ({default('flavor_interval')})"
        )
        page = (DOC / "how-to" / "database.rst").read_text()
        named = dict(re.findall(r"^``(?:\[\w+\] )?(\w+)`` \((\d+)\)$", page, re.MULTILINE))
        self.assertEqual({name: str(default(name)) for name in named}, named)
        self.assertEqual(5, len(named), named)

    def test_pages_about_events_and_metrics_have_their_limits(self):
        self.assert_on(
            "how-to/audit-events",
            f"``[audit] queue_size`` events wait, by default {option('queue_size').default}",
            f"at most one in {seconds(log_throttle.INTERVAL)}",
            f"it waits up to {seconds(audit_events.PATIENCE)} for its queue",
        )
        self.assert_on(
            "how-to/metrics",
            f"{seconds(metrics_client.SECONDS_TO_ASK)} to send its request, and "
            f"{words(metrics_client.SECONDS_TO_READ)} to read the answer",
            f"up to {listener.MOST_CLIENTS} clients",
            f"every {seconds(exporter.INTERVAL)}, when it is scraped",
            f"at most one in {seconds(log_throttle.INTERVAL)}",
            f"at most every {seconds(ledger_gauges.SECONDS_OF_FACTS)}",
            f"takes more than {seconds(ledger_gauges.PATIENCE)}",
        )

    def test_the_page_about_metrics_explains_each_number_of_an_alert(self):
        for expression, sentence in (
            ("requests_total[5m])) > 0.01", "More than one request in a hundred"),
            ("placement_ledger_age_seconds > 300", "are older than five minutes"),
            ("histogram_quantile(0.95, ", "One in twenty queries for candidates"),
            ('route="/allocation_candidates"}[10m]))) > 2', "takes more than two seconds"),
            ('{code="placement.concurrent_update"}[10m])) > 1', "than one request per second"),
            ("placement_candidates_count[30m])) > 0.2", "One in five queries finds no candidate"),
            ("(placement_class_capacity > 0)) > 0.9", "More than nine tenths of a resource class"),
            ("(placement_flavor_fit) < 10", "Fewer than ten more instances"),
        ):
            self.assertIn(expression, (SHIPPED / "alerts.yml").read_text())
            self.assert_on("how-to/metrics", sentence)

    def test_uwsgi_waits_longer_than_the_service_and_the_page_says_how_long(self):
        settings = configparser.ConfigParser(strict=False)
        settings.read(SHIPPED / "uwsgi.ini")
        killed_after = settings.getint("uwsgi", "harakiri")
        allowed = ("allocation_conflict_retry_seconds", "statement_timeout")
        self.assertGreater(killed_after, sum(option(name).default for name in allowed))
        self.assertGreater(settings.getint("uwsgi", "http-timeout"), killed_after)
        self.assert_on(
            "how-to/web-server", f"after {killed_after} seconds in the shipped settings"
        )

    def test_pages_name_the_microversion_that_changed_something(self):
        self.assert_on(
            "reference/api/index",
            f"It exists since {Since.LAST_MODIFIED.number}, together with",
            f"``code`` exists since {Since.ERROR_CODES.number}, and",
            f"gets 405 before {Since.DELETE_ALL_INVENTORIES.number}, without ``Allow``",
        )
        self.assert_on(
            "reference/api/allocation-candidates",
            f"are one group; since {Since.REQUEST_GROUPS.number}, parameters with the same suffix",
        )
        self.assert_on(
            "how-to/troubleshooting",
            f"From microversion {Since.ERROR_CODES.number} on, errors have a ``code``",
        )
        self.assert_on(
            "how-to/audit", f"a microversion before {Since.CONSUMER_TYPES.number} have the type"
        )
        self.assert_on(
            "explanation/rules",
            f"before {Since.RESERVED_MAY_EQUAL_TOTAL.number}, a capacity of zero is refused",
            f"also listed before {Since.MAPPINGS.number}, where they look the same",
            f"Before {Since.CANDIDATES_NESTED.number}, only the providers that candidates take",
            f"before {Since.SUMMARIES_OF_ALL_CLASSES.number} only the classes",
            f"the parent and the root with {Since.CANDIDATES_NESTED.number}.",
            f"In versions {Since.REQUEST_GROUPS.number} to "
            f"{Since.FORBIDDEN_AGGREGATES.number}, a suffix is a number; since "
            f"{Since.WORD_SUFFIXES.number}, it may be",
            f"before {Since.REPEATED_MEMBER_OF.number}, refused",
            f"before {Since.ANY_TRAITS.number}, the last one counts",
            f"all of them before {Since.SAME_SUBTREE.number}; since then at least one group",
            f"``PUT`` to ``aggregates``, since {Since.AGGREGATES_GENERATION.number}",
            f"The last claim since {Since.CONSUMER_TYPES.number} decides the type",
            f"``PUT`` accepts them since {Since.CONSUMER_GENERATION.number}",
        )

    def test_the_page_about_the_page_has_its_numbers(self):
        (days,) = constants_of("DAYS", "parts", "charts", "past.js")
        (hosts,) = constants_of("MOST_IN_A_COLUMN", "views", "map.js")
        self.assertEqual(f"{days}d", capacity_history.SINCE)
        self.assert_on(
            "how-to/page",
            f"a chart of the last {days} days",
            f"Groups of more than {hosts} hosts",
        )


class Descriptions(testtools.TestCase):
    def test_descriptions_of_fields_have_the_numbers_of_the_code(self):
        document = json.dumps(openapi.document(openapi.VERSIONS[-1]))
        for sentence in (
            f"of the last {trend.MOST_DAYS} days have samples; at least {trend.FEWEST_DAYS}.",
            f"the pace of the last {_WEEKS[trend.MOST_DAYS]}",
            f"After {_WEEKS[trend.FEWEST_DAYS]} of samples",
            f"longer than {words(trend.HORIZON_DAYS // 365)} years",
            f"With fewer than {recent_capacity.MANY_HOSTS:,} hosts, always 0",
            f"At most {words(find_by_name.MOST)} of each kind are returned",
            f"at most {words(find_by_name.MOST)} of each kind, hosts first",
            f"for the first {evacuation.MOST_EXPLAINED} consumers without one",
        ):
            self.assertIn(sentence, document)

    def test_help_of_options_has_the_numbers_of_the_code(self):
        check = fractions.Fraction(effort.COST_OF_A_CHECK)
        share = fractions.Fraction(flavor_gauges.SHARE).limit_denominator(100)
        for name, sentence in (
            ("max_candidates_size", f"counts as at least {search.BYTES_OF_A_GROUP}."),
            ("max_search_effort", f"each condition that is checked on a provider {check}."),
            ("flavor_interval", f"at most {_SHARES[share]} of a processor"),
        ):
            self.assertIn(sentence, option(name).help)
