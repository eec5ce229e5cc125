"""Rules of the service that are repeated where its code cannot be imported are the same there.

They are repeated in the page at /operator/, in the commands of openstackclient, which are a
distribution of their own, and in the reference.
"""

import ast
import dataclasses
import datetime
import io
import json
import pathlib
import re
from types import SimpleNamespace
from unittest import mock

import os_traits
import testtools
from testtools import matchers

import placement
from placement import constants, errors, exception, openapi
from placement.candidates import kinds
from placement.candidates.plans import survival
from placement.candidates.query import Group
from placement.candidates.why.plurals import counted
from placement.cmd import command_line, completion, display, listing, manage, mistakes, status
from placement.cmd.capacity_samples import capacity_history, csv_import
from placement.cmd.questions import fit as fit_command
from placement.cmd.questions import history as history_command
from placement.cmd.questions import mix
from placement.conf import opts
from placement.db import provider_room, tables
from placement.db.engine import connecting
from placement.db.faults import drivers
from placement.db.records import last_audit
from placement.db.schema import galera, revisions
from placement.db.sql import trigger_sets
from placement.db.subjects_of_names import Subject
from placement.documents import plans
from placement.flavors import nova
from placement.handlers import allocation_candidate
from placement.microversion import newest
from placement.middleware import version_negotiation
from placement.objects import capacity_report, find_by_name, ledger_audit, repairs
from placement.objects.feed import reading
from placement.openapi import tags
from placement.policies import building_blocks, operations, rule_text
from placement.queries import candidate_query, duration, moments, provider_query, query_string
from placement.schemas import common
from placement.schemas.operator import (
    capacity,
    changes,
    explanation,
    fit,
    release,
    whole_provider,
)
from placement.schemas.operator import capacity_history as capacity_history_schema
from placement.schemas.operator import find as find_schema
from tests.commands import Commands

PAGE = pathlib.Path(placement.__file__).parent / "web" / "page"
REPOSITORY = pathlib.Path(__file__).parents[2]
CLIENT = REPOSITORY / "client" / "osc_placement_server"
CASES = REPOSITORY / "tests" / "repeated_rules.json"
REFERENCE = REPOSITORY / "doc" / "reference" / "placement-manage.rst"


def longest_names():
    """Yield the greatest lengths: of a text to find, and of the name of a request in a mix."""
    yield find_schema.query().schema["properties"]["q"]["maxLength"]
    requests = fit.mix().schema["properties"]["requests"]
    yield requests["items"]["properties"]["name"]["maxLength"]


def constants_of(*path):
    """Return {name: value} of the numbers and texts that a module of the page exports."""
    source = PAGE.joinpath(*path).read_text()
    found = re.findall(r"^export const (\w+) = (\d+|\".*\");$", source, re.MULTILINE)
    return {name: json.loads(value) for name, value in found}


def list_in(source, name):
    """Return the texts of a list, or tuple, that is a constant of JavaScript or Python."""
    (body,) = re.findall(rf"^(?:const )?{name} = [\[(](.*)[\])];?$", source, re.MULTILINE)
    return json.loads(f"[{body}]")


def function_in(module, name, **imported):
    """Return a function of a module of the client, which cannot be imported here.

    `imported` has what the function uses from other modules.
    """
    tree = ast.parse((CLIENT / f"{module}.py").read_text())
    tree.body = [each for each in tree.body if isinstance(each, (ast.Assign, ast.FunctionDef))]
    namespace = dict(imported)
    exec(compile(tree, module, "exec"), namespace)
    return namespace[name]


def defaults_in(text):
    """Yield (option, its default) of a list of options in the reference."""
    for option, meaning in re.findall(
        r"^``(--[a-z-]+) .*``\n((?:(?:    .*)?\n)+)", text, re.MULTILINE
    ):
        found = re.search(r"by default (?:``)?(\w+)(?:``)?[.,]|(\d+) by default", meaning)
        if found:
            yield option, found[1] or found[2]


def roles_of(name):
    """Return the roles that a rule of the policy requires; the caller may have any of them."""
    (rule,) = [each for each in operations.RULES if each.name == name]
    checks = {f"rule:{each.name}": each.check_str for each in building_blocks.RULES}
    return re.findall(r"role:(\w+)", checks[rule.check_str])


def cases_of(rule):
    """Return the cases of a rule, which the tests of the page use, too."""
    return json.loads(CASES.read_text())[rule]


def keys_of(name, *path):
    """Return the keys of an object that a module of the page has."""
    source = PAGE.joinpath(*path).read_text()
    pattern = rf"^(?:export )?const {name} = {{\n(.*?)^}};$"
    body = re.search(pattern, source, re.MULTILINE | re.DOTALL)
    return re.findall(r"^  (\w+): ", body[1], re.MULTILINE)


class Page(testtools.TestCase):
    def test_the_page_has_the_limits_of_the_service(self):
        (longest_name,) = set(longest_names())
        in_page = constants_of("limits.js")
        # As a browser needs it, the hyphen is escaped.
        suffix = in_page.pop("SUFFIX").replace("\\-", "-")
        self.assertEqual(common.SUFFIX, suffix)
        in_service = {
            "MOST_CANDIDATES": constants.MOST_COUNTED_CANDIDATES,
            "MOST_INVENTORIES": capacity.MOST_TOP,
            "MOST_IDS": find_schema.MOST_IDS,
            "LONGEST_NAME": longest_name,
            "RETRY_AFTER_SECONDS": int(errors.retry_after()[1]),
        }
        self.assertEqual(in_service, in_page)

    def test_the_page_asks_for_the_newest_microversion(self):
        source = PAGE.joinpath("api.js").read_text()
        self.assertIn(f'VERSION_HEADER = "{opts.VERSION_HEADER}";', source)
        self.assertEqual(version_negotiation.HEADER, opts.VERSION_HEADER.lower())
        self.assertIn(f'VERSION = "{version_negotiation.SERVICE_TYPE} latest";', source)

    def test_the_page_knows_the_traits_that_mean_something_to_the_service(self):
        traits = {
            "DISABLED": os_traits.COMPUTE_STATUS_DISABLED,
            "SHARES": os_traits.MISC_SHARES_VIA_AGGREGATE,
        }
        self.assertEqual(traits, constants_of("parts", "hosts.js"))

    def test_the_page_can_show_everything_that_has_a_name(self):
        self.assertEqual(set(constants.NamedKind), set(keys_of("KINDS", "parts", "kinds.js")))

    def test_the_page_can_show_changes_of_every_kind(self):
        subjects = keys_of("SUBJECTS", "parts", "history", "telling.js")
        self.assertEqual(set(reading.KINDS), set(subjects))

    def test_the_page_offers_periods_that_the_service_understands(self):
        source = PAGE.joinpath("parts", "history", "telling.js").read_text()
        (body,) = re.findall(r"^export const PERIODS = {\n(.*?)^};$", source, re.M | re.S)
        periods = re.findall(r'^  "(.+)": ', body, re.MULTILINE)
        self.assertIn(history_command.SINCE, periods)
        for period in periods:
            self.assertRegex(period, f"^{duration.PATTERN}$")

    def test_the_page_asks_for_names_of_what_the_operator_can_name(self):
        """Providers have names of their own, and users are not in sentences."""
        given = list_in(PAGE.joinpath("parts", "history", "telling.js").read_text(), "GIVEN")
        self.assertEqual(
            set(find_by_name.NAMED_BY_OPERATORS) - {Subject.PROVIDERS},
            {Subject[f"{kind.upper()}S"] for kind in given},
        )

    def test_the_page_and_the_command_know_how_sums_can_be_grouped(self):
        groupings = keys_of("GROUPINGS", "views", "cloud.js")
        self.assertEqual(capacity_report.GROUPINGS, tuple(groupings))
        for path, name in (
            (PAGE / "views" / "cloud.js", "OWNERS"),
            (CLIENT / "capacity.py", "_OWNERS"),
        ):
            self.assertEqual(capacity_report.OWNERS, tuple(list_in(path.read_text(), name)))

    def test_the_page_can_assume_every_loss(self):
        source = PAGE.joinpath("plans", "survival.js").read_text()
        (losses,) = re.findall(r"^const LOSSES = { (.*) };$", source, re.MULTILINE)
        self.assertEqual(survival.GROUPINGS, tuple(re.findall(r"(\w+):", losses)))

    def test_the_page_names_the_roles_that_may_read(self):
        roles = " or ".join(roles_of("placement:operator:read"))
        said = re.sub(r'" \+\s+"', "", (PAGE / "api.js").read_text())
        self.assertIn(f"the policy placement:operator:read requires the role {roles}.", said)


class Shares(testtools.TestCase):
    """The page, and the SQL, have other tests with the same cases."""

    def test_the_commands_agree_on_the_share_of_a_capacity_that_is_used(self):
        share = function_in("capacity_history", "_share")
        for case in cases_of("inventories"):
            self.assertEqual(case["share"], display.share_used(SimpleNamespace(**case)), case)
            self.assertEqual(case["share"], share(case), case)


    def test_the_commands_agree_on_the_percentage_of_a_capacity_that_is_used(self):
        percent = function_in("capacity", "_percent")
        for case in cases_of("inventories"):
            *_, shown, _ = display.filled(SimpleNamespace(**case))
            # In a table, a word stands for the percentage of a capacity of 0.
            expected = int(shown) if case["capacity"] > 0 else None
            self.assertEqual(expected, percent(case), case)


class Sparklines(testtools.TestCase):
    def test_both_commands_draw_alike(self):
        sparkline = function_in("text", "sparkline")
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        for case in cases_of("sparklines"):
            with mock.patch("sys.stdout", output):
                in_service = display.sparkline(case["numbers"], case["most"])
            self.assertEqual(case["drawn"], in_service, case)
            self.assertEqual(case["drawn"], sparkline(case["numbers"], case["most"]), case)

    def test_both_commands_draw_the_same_averages(self):
        for averages in (capacity_history.averages, function_in("capacity_history", "_averages")):
            for case in cases_of("averages"):
                shares = [(moment(at), share) for at, share in case["shares"]]
                expected = case["averages"]
                found = averages(shares, moment(case["begin"]), moment(case["end"]), len(expected))
                self.assertEqual(expected, found, case)

    def test_both_commands_have_lines_of_one_width(self):
        width = f"_SPARKLINE_WIDTH = {capacity_history.SPARKLINE_WIDTH}\n"
        self.assertIn(width, (CLIENT / "capacity_history.py").read_text())


class TypedQueries(testtools.TestCase):
    def typed_for_client(self):
        return function_in("candidate_query", "typed", re=re)

    def test_both_commands_know_what_is_meant(self):
        for typed in (query_string.interpret, self.typed_for_client()):
            for case in cases_of("typed_queries"):
                self.assertEqual(case["query"], typed(case["typed"]), case)

    def test_the_service_reads_what_options_of_openstackclient_mean(self):
        aggregates = [f"{digit}0000000-0000-4000-8000-000000000001" for digit in "123456"]
        options = {
            "resource": ["VCPU=4", "DISK_GB=1"],
            "required": ["A,B", "C"],
            "forbidden": ["D"],
            "member_of": [",".join(aggregates[:2]), aggregates[2]],
            "not_member_of": [",".join(aggregates[3:5])],
            "in_tree": [aggregates[5]],
        }
        pairs = function_in("candidate_query", "_of_group", re=re)("_GPU", options)
        (group,) = candidate_query.parse(list(pairs), candidate_query.rules_of(newest)).groups
        read = Group(
            "_GPU",
            {"VCPU": 4, "DISK_GB": 1},
            required=(frozenset("AB"), frozenset("C")),
            forbidden=frozenset("D"),
            member_of=(frozenset(aggregates[:2]), frozenset(aggregates[2:3])),
            not_member_of=frozenset(aggregates[3:5]),
            in_tree=aggregates[5],
        )
        self.assertEqual(read, group)
        fields = [each for each in dataclasses.fields(read) if each.name != "suffix"]
        left_out = [each.name for each in fields if getattr(read, each.name) == each.default]
        self.assertEqual([], left_out, "options of client/osc_placement_server are missing")
        source = (CLIENT / "candidate_query.py").read_text()
        policies = f'choices=["{constants.POLICY_NONE}", "{constants.POLICY_ISOLATE}"]'
        self.assertIn(policies, source)

    def test_both_commands_read_a_mix_alike(self):
        in_client = function_in(
            *("mix", "body_of"),
            candidate_query=SimpleNamespace(typed=self.typed_for_client()),
            exceptions=SimpleNamespace(CommandError=mistakes.Mistake),
            json=json,
            re=re,
        )
        too_deep = {
            "text": '{"requests": ' + "[" * 100_000,
            "complaint": "mix is nested too deeply.",
        }
        for case in (*cases_of("mixes"), too_deep):
            asked = "mix", case["text"]
            if "body" in case:
                self.assertEqual(case["body"], mix.body_of(*asked), case)
                self.assertEqual(case["body"], in_client(*asked), case)
            else:
                complaint = str(self.assertRaises(mistakes.Mistake, mix.body_of, *asked))
                self.assertThat(complaint, matchers.StartsWith(case["complaint"]))
                said = str(self.assertRaises(mistakes.Mistake, in_client, *asked))
                self.assertEqual(complaint, said)


def moment(text):
    return datetime.datetime.fromisoformat(text)


class Words(testtools.TestCase):
    """The commands of both programs say the same of the same answer."""

    def test_commands_of_openstackclient_say_the_same_as_those_of_the_service(self):
        for in_client, in_service, words in (
            ("audit.py", "cmd/audit.py", "The ledger is not right."),
            ("audit.py", "cmd/audit.py", ": the findings are facts, not faults"),
            (
                "capacity_history.py",
                "cmd/capacity_samples/capacity_history.py",
                "No samples were stored in",
            ),
            ("changes.py", "cmd/questions/history.py", "Nothing was changed."),
            ("fit.py", "candidates/why/unknown_names.py", "; did you mean "),
            ("fit.py", "candidates/why/unknown_names.py", " is called "),
            ("fit.py", "cmd/questions/fit.py", "It does not fit anywhere."),
            ("fit.py", "cmd/questions/fit.py", '"the bound"'),
            ("host_names.py", "cmd/display.py", " (disabled)"),
        ):
            for path in (CLIENT / in_client, PAGE.parents[1] / in_service):
                self.assertIn(words, path.read_text(), path)

    def test_the_page_and_the_command_call_the_ledger_right(self):
        for path in (PAGE / "parts" / "audit-verdict.js", PAGE.parents[1] / "cmd" / "audit.py"):
            self.assertIn('"The ledger is right."', path.read_text())

    def test_the_page_and_the_commands_say_alike_what_is_missing(self):
        for path in (PAGE / "plans" / "release.js", CLIENT / "release.py"):
            self.assertIn(plans.MORE_RELEASES, path.read_text())

    def test_things_are_counted_alike(self):
        in_client = function_in("fit", "_counted")
        for case in cases_of("counts"):
            counting = case["number"], case["noun"]
            self.assertEqual(case["said"], counted(*counting))
            self.assertEqual(case["said"], in_client(*counting))

    def test_a_moment_is_shown_by_the_largest_unit_that_fits(self):
        for case in cases_of("ages"):
            self.assertEqual(case["said"], display.ago(case["seconds"]), case)

    def test_names_are_made_printable_alike(self):
        printable = function_in("text", "printable")
        for text in ("b2", "a\nb", "\x1b[31m", "caf\u00e9", "\u200b"):
            self.assertEqual(display.printable(text), printable(text))


class Descriptions(Commands, testtools.TestCase):
    """The help of the commands, the OpenAPI document and the documentation agree."""

    def help_of(self, *command):
        _, described, _ = self.run_command(manage, *command, "--help")
        return " ".join(described.split())

    def reference(self, name):
        return " ".join((REPOSITORY / "doc" / "reference" / name).read_text().split())

    def test_what_is_enough_of_a_name_to_find_it(self):
        rule = "the beginning of a name or UUID; of a trait or class, any part of its name"
        self.assertIn(rule, self.help_of("find"))
        document = json.dumps(openapi.document(openapi.VERSIONS[-1]))
        self.assertIn(f'"T{rule[1:]}."', document)
        for path, words in (
            (PAGE / "views" / "find.js", "for traits and classes, any part of the name."),
            (CLIENT / "find.py", "Traits and classes are found by any part of their names."),
            (REPOSITORY / "doc" / "how-to" / "find.rst", "by any part of the name, in any case"),
        ):
            self.assertIn(words, path.read_text())

    def test_what_a_new_provider_must_have(self):
        keep = "attern of traits, such as {}, that a new provider must have if the old one has"
        self.assertIn(keep.format("'HW_CPU_*'"), self.help_of("evacuate"))
        self.assertIn(keep.format("``'HW_CPU_*'``"), self.reference("placement-manage.rst"))

    def test_how_a_time_is_written(self):
        self.assertIn(moments.EXAMPLES, self.help_of("history"))
        day, time = moments.EXAMPLES.split(" or ")
        self.assertIn(
            f"a date such as ``{day}``, or a date and a time, such as ``{time}``",
            self.reference("placement-manage.rst"),
        )

    def test_columns_of_samples(self):
        page = " ".join((REPOSITORY / "doc" / "how-to" / "capacity.rst").read_text().split())
        said = re.search("names the columns: (.*), and optionally (.*?);", page)
        needed, optional = (re.findall("``([A-Z].*?)``", names) for names in said.groups())
        self.assertEqual([*csv_import.NEEDED], needed)
        self.assertEqual({*csv_import.NUMBERS} - {*needed}, {*optional})

    def test_the_reference_has_the_exit_statuses_of_mistakes(self):
        for sentence in (
            f"With a wrong option or argument, the exit status is {mistakes.MISTAKEN}.",
            f"after a few lines, the exit status is {mistakes.BROKEN_PIPE}.",
        ):
            self.assertIn(sentence, self.reference("command-options.inc"))

    def test_pages_name_every_format_of_a_list(self):
        page = (REPOSITORY / "doc" / "how-to" / "openstack-command.rst").read_text()
        (of_openstack,) = re.findall(r"formats (.*?), single columns", " ".join(page.split()))
        (sentence,) = re.findall(
            r"only the rows, as (.*?): one line", self.reference("placement-manage.rst")
        )
        named = re.findall(r"``(\w+)``", sentence)
        self.assertEqual(sorted(listing.FORMATTERS), sorted(named))
        named = re.findall(r"``-f (\w+)``", of_openstack)
        self.assertEqual(sorted(listing.FORMATTERS.keys() - {"table"}), sorted(named))

    def test_the_reference_names_every_shell_that_is_completed(self):
        """The commands print scripts for them."""
        option = f"``{command_line.SHELL_COMPLETION} {'|'.join(completion.SHELLS)}``"
        self.assertIn(option, self.reference("command-options.inc"))

    def test_what_a_rule_of_the_policy_can_ask_about_a_request(self):
        known = " and ".join(f"``{name}``" for name in rule_text.TARGET)
        self.assertIn(f"(``%(name)s``; only {known} are known)", self.reference("policy.rst"))

    def test_the_extra_specs_that_become_a_part_of_a_query(self):
        page = (REPOSITORY / "doc" / "how-to" / "flavors.rst").read_text()
        (section,) = re.findall("^What nova asks for\n=+\n(.*?)^Hosts whose", page, re.M | re.S)
        named = re.findall(r"``((?:hw:|group_)\w+)``", section)
        self.assertEqual(sorted(nova._TRANSLATED), sorted(named))

    def test_what_a_refused_media_type_means(self):
        document = json.dumps(openapi.document(openapi.VERSIONS[-1]))
        page = (REPOSITORY / "doc" / "how-to" / "troubleshooting.rst").read_text()
        for number, beginning in (
            (406, "The microversion is not supported, or the client does not accept"),
            (415, "The body is not"),
        ):
            self.assertIn(f'"{beginning} {constants.JSON}."', document)
            self.assertIn(f"\n{number}\n    {beginning} ``{constants.JSON}``.\n", page)

    def test_what_stays_the_same_for_operators(self):
        (meaning,) = {each.description for each in tags.TAGS.values() if each.name == "Operators"}
        begin, end = "There are no microversions; ", "answers may gain new fields."
        self.assertThat(meaning, matchers.EndsWith(begin + end))
        self.assertIn(f"have no microversions; {end}", self.reference("api/operator.rst"))

    def test_the_order_of_constraints(self):
        first, *others, last = [f"``{kind.name}``" for kind in kinds.OF_GROUP]
        order = f"{first} comes first, then {', '.join(others)} and {last}. Then come the"
        *binding, together = [f"``{kind.name}``" for kind in (*kinds.BINDING, kinds.TOGETHER)]
        parameters = [
            f"``{kind.name}``"
            for kind in (*kinds.OF_GROUP, *kinds.OF_ROOT)
            if kind is not kinds.RESOURCES
        ]
        missing = [
            (page, text)
            for page, text in (
                ("no-valid-host", f"Within a group, {order} constraints on the root, and finally"),
                ("no-valid-host", f" {', '.join(binding)} Hosts that meet all constraints before"),
                ("no-valid-host", f" {together} Hosts that meet each constraint, but not all of"),
                ("fit", f"a parameter of the query ({', '.join(parameters)});"),
            )
            if text not in " ".join((REPOSITORY / f"doc/how-to/{page}.rst").read_text().split())
        ]
        self.assertEqual([], missing)

    def test_why_an_answer_is_empty(self):
        """The log says so."""
        host = {"unresolved": None, "nowhere": (), "host_count": 1}
        nowhere, alone, together = (
            allocation_candidate._why_empty(SimpleNamespace(**host | told))
            for told in ({"nowhere": ["resources VCPU:10"]}, {"host_count": 0}, {})
        )
        tree = SimpleNamespace(suffix="1", in_tree="2000")
        unknown_tree, unknown_name = (
            allocation_candidate._about_unknown(SimpleNamespace(group=tree, error=error))
            for error in (None, exception.UnknownTraits(["HW_MISSING"]))
        )
        pages = [
            " ".join((REPOSITORY / "doc" / "how-to" / f"{name}.rst").read_text().split())
            for name in ("logs", "no-valid-host")
        ]
        for said in (
            *(f" hosts: 0: {nowhere} ", f"``{alone}``", f"``{together}``"),
            *(f" hosts: 0: {unknown_tree}", f" hosts: 0: {unknown_name} "),
        ):
            self.assertIn(said, pages[0])
        self.assertIn(f" hosts: 0: {alone} ", pages[1])

    def test_the_order_of_reasons(self):
        page = " ".join((REPOSITORY / "doc" / "how-to" / "no-valid-host.rst").read_text().split())
        in_page = [f"``{reason}``" for reason in provider_room.REASONS]
        self.assertIn(f"the mildest reason, in the order {', '.join(in_page)};", page)
        mildest, *others = in_page
        self.assertIn(f"best provider: {', '.join(reversed(others))} (see", page)
        self.assertIn(f"or {mildest}, if too much is in use", page)
        mildest, *others = provider_room.REASONS
        document = json.dumps(openapi.document(openapi.VERSIONS[-1]))
        self.assertIn(f"from fitting: {', '.join(reversed(others))} or {mildest}.", document)

    def test_the_reference_lists_every_upgrade_check(self):
        names = [name for name, _ in status.Checks._upgrade_checks]
        page = (REPOSITORY / "doc" / "reference" / "placement-status.rst").read_text()
        self.assertEqual(names, re.findall(r"^ +\| Check: (.*?) +\|$", page, re.MULTILINE))
        self.assertEqual(names, re.findall(r"^([A-Z].*)\n    [A-Z]", page, re.MULTILINE))
        self.assertIn(f"\n{status.UNKNOWN}   There are no results", page)


class Roles(testtools.TestCase):
    """The documentation says who may do what, unless a policy file says otherwise."""

    def assert_in(self, sentence, *path):
        self.assertIn(sentence, " ".join(REPOSITORY.joinpath(*path).read_text().split()))

    def test_pages_name_the_roles_that_may_read_reports(self):
        roles = roles_of("placement:operator:read")
        self.assert_in(f"token needs the role {' or '.join(roles)},", "client", "README.rst")
        literals = " or ".join(f"``{role}``" for role in roles)
        for page, words in (
            ("openstack-command", "The token needs the role {};"),
            ("page", "the policy ``placement:operator:read``: by default, the role {}."),
        ):
            self.assert_in(words.format(literals), "doc", "how-to", f"{page}.rst")

    def test_repairs_and_reshapes(self):
        (repairing,) = roles_of("placement:operator:repair")
        self.assert_in(f"requires the role ``{repairing}``.", "doc", "how-to", "audit.rst")
        (reshaping,) = roles_of("placement:reshaper:reshape")
        words = f"``POST /reshaper`` needs the role ``{reshaping}``."
        self.assert_in(words, "doc", "how-to", "deployers", "devstack.rst")

    def test_the_page_about_keystone_says_what_each_role_may_do(self):
        rare = {"placement:operator:repair", "placement:reshaper:reshape"}
        often = {each.name for each in operations.RULES} - rare
        page = (REPOSITORY / "doc" / "how-to" / "keystone.rst").read_text()
        for role in ("service", "admin"):
            columns = [{role in roles_of(name) for name in names} for names in (rare, often)]
            said = r"\s+".join("yes" if column == {True} else "no" for column in columns)
            self.assertRegex(page, rf"\nrole ``{role}`` in a project\s+{said}\n")
        readable = [each for each in operations.RULES if "project_reader" in each.check_str]
        paths = [operation["path"] for each in readable for operation in each.operations]
        self.assertEqual(["/usages"], paths)
        self.assertRegex(page, r"\nrole ``reader`` .*\s+no\s+``GET /usages`` of that project\n")


class Databases(testtools.TestCase):
    """The documentation says what the service does to a database."""

    def test_pages_name_every_driver_that_is_supported(self):
        of_servers = [
            f"{kind}+{driver}"
            for kind, supported in drivers.SUPPORTED.items()
            for driver in supported
            if kind != "sqlite"
        ]
        (option,) = [each for each in opts.DATABASE_OPTIONS if each.name == "connection"]
        page = (REPOSITORY / "doc" / "how-to" / "database.rst").read_text()
        for found in (
            re.findall(r"\b\w+\+\w+", option.help),
            re.findall(r"^``(\w+\+\w+)://.*``$", page, re.MULTILINE),
        ):
            self.assertEqual(sorted(of_servers), sorted(found))

    def test_pages_name_the_isolation_of_writers_and_readers(self):
        writers, readers = connecting.OF_WRITERS, connecting.OF_READERS
        for page, sentence in (
            ("explanation/reliability", f"writers use {writers}, and readers one snapshot."),
            ("reference/differences", f"Transactions that write use {writers}, and"),
            ("reference/differences", f"use one snapshot ({readers}), whatever the default"),
            ("how-to/database", f"its writers use {writers}, to which it does not apply"),
            ("how-to/database", f"set: ``{writers}``, and the variable ``"
             f"{trigger_sets.OURS_ON_MYSQL}``"),
        ):
            text = " ".join((REPOSITORY / "doc" / f"{page}.rst").read_text().split())
            self.assertIn(sentence, text)

    def test_tables_have_the_names_that_the_documentation_gives_them(self):
        names = {
            *(revisions.VERSION_TABLE, galera.LOCK_TABLE, last_audit.TABLE),
            *tables.our_metadata.tables,
        }
        found = [
            (page, name)
            for page in (
                *("explanation/changes", "how-to/capacity", "how-to/database"),
                *("how-to/switching", "reference/differences"),
            )
            for name in re.findall(
                r"``(placement_\w+)``", (REPOSITORY / "doc" / f"{page}.rst").read_text()
            )
        ]
        self.assertEqual(names, {name for _, name in found}, found)

    def test_columns_that_the_service_adds_are_in_the_documentation(self):
        names = [f"{column.table.name}.{column.name}" for column in tables.our_columns()]
        page = " ".join((REPOSITORY / "doc" / "how-to" / "switching.rst").read_text().split())
        self.assertIn(f"{len(names)} columns {', '.join(names)}", page)
        for page in ("explanation/takeover", "reference/differences"):
            text = (REPOSITORY / "doc" / f"{page}.rst").read_text()
            for column in tables.our_columns():
                self.assertIn(f"``{column.name}``", text, page)


class Providers(testtools.TestCase):
    def test_the_command_of_openstackclient_shows_all_fields_and_has_all_filters(self):
        items = whole_provider.listed().schema["properties"]["resource_providers"]["items"]
        shown = items["properties"]
        inventory, allocation = (
            shown[name]["additionalProperties"]["properties"]
            for name in ("inventories", "allocations")
        )
        filters = provider_query.validator(since=newest).schema["properties"]
        source = (CLIENT / "providers.py").read_text()
        for name in (*shown, *inventory, *allocation, *filters):
            self.assertIn(f'"{name}"', source)


class Numbers(Commands, testtools.TestCase):
    def test_commands_of_openstackclient_name_the_most_and_the_default(self):
        for command, default, most in (
            ("capacity", capacity.TOP, capacity.MOST_TOP),
            ("changes", reading.LIMIT, changes.MOST_CHANGES),
            ("explain", explanation.CLOSEST, explanation.MOST_CLOSEST),
            ("fit", fit_command.TOP, fit.MOST_TOP),
            ("release", release.TOP, release.MOST_TOP),
        ):
            source = (CLIENT / f"{command}.py").read_text()
            with self.subTest(command):
                self.assertIn(f'default="{default}"', source)
                self.assertIn(f', up to {most:,} ({default:,}).",\n', source)

    def test_all_commands_and_the_page_look_back_equally_far(self):
        for command, default in (
            ("capacity_history", capacity_history_schema.SINCE),
            ("changes", history_command.SINCE),
        ):
            source = (CLIENT / f"{command}.py").read_text()
            with self.subTest(command):
                self.assertIn(f'default="{default}"', source)
                self.assertIn(f"such as {duration.EXAMPLES} ({default})", source)
        page = (PAGE / "views" / "history.js").read_text()
        self.assertIn(f'periodOf(route, "{history_command.SINCE}")', page)

    def test_the_reference_has_the_defaults_of_the_commands(self):
        sections = re.findall(
            r"^([a-z]+)\n=+\n(.*?)(?=^\S+( [A-Z]+)*\n=+\n|\Z)",
            REFERENCE.read_text(),
            re.MULTILINE | re.DOTALL,
        )
        # The sections of commands that have a default.
        seen = []
        for command, text, _ in sections:
            for option, default in defaults_in(text):
                _, described, _ = self.run_command(manage, command, "--help")
                shown = re.findall(rf"{option} [A-Z]+\s[^(]*\(([\w,]+)\)", described)
                self.assertEqual([default], shown, f"{command} {option}")
                seen.append(f"{command} {option}")
        self.assertEqual(
            [
                *("explain --top", "audit --consumer-type", "audit --older-than"),
                *("audit --at-most", "fit --top", "survive --top", "release --top"),
                *("capacity --top", "capacity --step"),
            ],
            seen,
        )

    def test_the_page_about_audits_has_the_defaults_of_the_command(self):
        _, described, _ = self.run_command(manage, "audit", "--help")
        described = " ".join(described.split())
        page = " ".join((REPOSITORY / "doc" / "how-to" / "audit.rst").read_text().split())
        for in_command, in_page in (
            ("type of the consumers in the file (INSTANCE)", "each consumer of type ``INSTANCE``"),
            ("such as 30m (1h)", "less than an hour before the file was written (``--older"),
            ("consumers are orphans (5)", "more than 5 percent (``--at-most``)"),
        ):
            self.assertIn(in_command, described)
            self.assertIn(in_page, page)

    def test_the_page_about_audits_has_the_faults_the_facts_and_the_repairs(self):
        page = (REPOSITORY / "doc" / "how-to" / "audit.rst").read_text()
        for title, is_fault in (("Faults", True), ("Facts", False)):
            (section,) = re.findall(rf"^{title}\n=+\n\n(.*?)\n\n\w+\n=", page, re.M | re.S)
            names = ", ".join(re.findall(r"^(``\w+``(?:, ``\w+``)*)$", section, re.MULTILINE))
            checks = [each for each in ledger_audit.CHECKS if each.is_fault == is_fault]
            self.assertEqual(", ".join(f"``{each.name}``" for each in checks), names)
            repaired = re.findall(r"^``(\w+)``\n(?:    .*\n)*?.*``--repair`` \w+s\b", section, re.M)
            self.assertEqual([each.name for each in checks if each.repair], repaired)

    def test_a_check_says_how_long_a_consumer_has_been_empty(self):
        self.assertEqual(3600, repairs.EMPTY_SECONDS)
        questions = {each.name: each.question for each in ledger_audit.CHECKS}
        self.assertIn("no allocations for an hour", questions["consumer_without_allocations"])
