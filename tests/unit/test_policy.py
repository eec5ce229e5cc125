"""Who may do what. Source: doc/how-to/keystone.rst and doc/reference/policy.rst."""

import itertools
import os
import pathlib
import socket
import subprocess
import sys

import fixtures as base_fixtures
import testtools
from oslo_policy import policy as oslo_policy

from placement import conf, policies, policy
from placement.middleware.identity import RequestContext
from placement.policies import rule_text
from tests import fixtures

LIST = "placement:resource_providers:list"
USAGES = "placement:usages"
RESHAPE = "placement:reshaper:reshape"
REPAIR = "placement:operator:repair"


def caller(*roles, **scope):
    scope = scope or {"project_id": "own"}
    return RequestContext(user_id="user", roles=list(roles), overwrite=False, **scope)


class Verdicts(testtools.TestCase):
    def policy(self, **overrides):
        return policy.Policy(fixtures.configuration(**overrides))

    def allows(self, rules, rule, context, project_id="own"):
        try:
            rules.authorize(rule, {"project_id": project_id, "user_id": "user"}, context)
        except policy.Denied:
            return False
        return True

    def test_the_default_rules_decide_as_documented(self):
        rules = self.policy()
        for context, may_list, may_see_own, may_see_others, may_reshape in [
            (caller("admin"), True, True, True, False),
            (caller("ADMIN", "member", "reader"), True, True, True, False),
            (caller("service"), True, True, True, True),
            (caller("reader"), False, True, False, False),
            (caller("member", "reader"), False, True, False, False),
            (caller("member"), False, False, False, False),
            (caller(), False, False, False, False),
            (caller("admin", "service", system_scope="all"), False, False, False, False),
            (caller("admin", "service", domain_id="d"), False, False, False, False),
        ]:
            self.assertEqual(may_list, self.allows(rules, LIST, context), context.roles)
            self.assertEqual(may_see_own, self.allows(rules, USAGES, context), context.roles)
            self.assertEqual(
                may_see_others, self.allows(rules, USAGES, context, "other"), context.roles
            )
            self.assertEqual(may_reshape, self.allows(rules, RESHAPE, context), context.roles)

    def test_every_operation_but_three_is_for_admins_and_services(self):
        rules = self.policy()
        names = [rule.name for rule in policies.list_rules() if ":" in rule.name]
        self.assertEqual(35, len(names))
        for name in names:
            self.assertTrue(self.allows(rules, name, caller("service")), name)
            for_admins = name not in (RESHAPE, REPAIR)
            self.assertEqual(for_admins, self.allows(rules, name, caller("admin")), name)
            self.assertEqual(name == USAGES, self.allows(rules, name, caller("reader")), name)

    def test_with_old_defaults_an_admin_may_reshape(self):
        rules = self.policy(oslo_policy__enforce_new_defaults=False)
        self.assertTrue(self.allows(rules, RESHAPE, caller("admin")))
        self.assertFalse(self.allows(rules, LIST, caller("reader")))

    def test_rules_can_use_every_attribute_that_oslo_context_has(self):
        context = caller("reader", system_scope="all", service_roles=["service"])
        values = {name: getattr(context, name) for name in policy.CALLER}
        self.assertEqual(dict(context.to_policy_values()), values)

    def test_a_denial_names_the_rule(self):
        error = self.assertRaises(
            policy.Denied, self.policy().authorize, LIST, {}, caller("member")
        )
        self.assertEqual(f"Policy does not allow {LIST} to be performed.", str(error))

    def test_a_denial_for_the_wrong_scope_names_only_the_rule(self):
        error = self.assertRaises(
            policy.Denied, self.policy().authorize, LIST, {}, caller("admin", domain_id="d")
        )
        self.assertEqual(LIST, str(error))

    def cause(self, rule, context, **target):
        """Return what the log says about a denied request."""
        error = self.assertRaises(
            policy.Denied, self.policy().authorize, rule, target, context
        )
        return error.cause

    def test_the_log_names_the_scope_that_is_wrong(self):
        for scope, context in (
            ("system", caller("admin", system_scope="all")),
            ("domain", caller("admin", domain_id="d")),
        ):
            self.assertEqual(
                f"Policy denies {LIST} to a token of {scope} scope; it takes tokens of project "
                "scope",
                self.cause(LIST, context, project_id=None),
            )

    def test_the_log_names_the_roles_that_are_not_enough(self):
        for roles, named in ((("reader", "member"), "member, reader"), ((), "none")):
            self.assertEqual(
                f"Policy denies {LIST} to a caller with the roles: {named}",
                self.cause(LIST, caller(*roles), project_id="own"),
            )

    def test_the_log_names_another_project_that_a_caller_asks_about(self):
        for asked, named in (
            ("other", "project 'other'"),
            (None, "no project"),
            ("a\nb\u2028", r"project 'a\nb\u2028'"),
        ):
            self.assertEqual(
                f"Policy denies {USAGES} for {named} to a caller of project 'own' with the roles: "
                "reader",
                self.cause(USAGES, caller("reader"), project_id=asked),
            )

    def policy_file(self, text):
        path = os.path.join(self.useFixture(base_fixtures.TempDir()).path, "policy.yaml")
        with open(path, "w") as policy_file:
            policy_file.write(text)
        return path

    def test_the_operators_file_overrides_the_defaults(self):
        path = self.policy_file(f'"{LIST}": "role:reader"\n')
        rules = self.policy(oslo_policy__policy_file=path)
        self.assertTrue(self.allows(rules, LIST, caller("reader")))
        self.assertFalse(self.allows(rules, LIST, caller("admin")))

    def test_the_operators_file_cannot_let_other_scopes_in(self):
        path = self.policy_file(f'"{LIST}": "@"\n')
        rules = self.policy(oslo_policy__policy_file=path)
        self.assertTrue(self.allows(rules, LIST, caller()))
        self.assertFalse(self.allows(rules, LIST, caller(system_scope="all")))

    def test_the_deprecated_common_rule_replaces_four_rules(self):
        path = self.policy_file('"rule:admin_api": "role:boss"\n')
        with self.assertWarnsRegex(UserWarning, '^Policy "rule:admin_api":.* was deprecated'):
            rules = self.policy(oslo_policy__policy_file=path)
        self.assertTrue(self.allows(rules, RESHAPE, caller("boss")))
        self.assertFalse(self.allows(rules, LIST, caller("admin")))

    def test_a_changed_policy_file_applies_without_a_restart(self):
        path = self.policy_file(f'"{LIST}": "role:reader"\n')
        rules = self.policy(oslo_policy__policy_file=path)
        clock = self.useFixture(base_fixtures.MockPatch("time.monotonic", return_value=100.9))
        self.assertFalse(self.allows(rules, LIST, caller("admin")))
        with open(path, "w") as policy_file:
            policy_file.write(f'"{LIST}": "role:admin"\n')
        os.utime(path, (4e9, 4e9))
        self.assertFalse(self.allows(rules, LIST, caller("admin")))
        clock.mock.return_value = 101.0
        self.assertTrue(self.allows(rules, LIST, caller("admin")))

    def test_a_policy_file_that_is_not_yaml_prevents_the_start(self):
        path = self.policy_file("{")
        self.assertRaises(ValueError, self.policy, oslo_policy__policy_file=path)


class Files(testtools.TestCase):
    """If a test fails, a typing mistake locks everyone out of the service, or lets everyone in."""

    GOOD = f'"{LIST}": "role:reader"\n'
    BAD = {
        "is not YAML: expected the node content, but found '<stream end>' in line 1, column 2, "
        "while parsing a flow node from line 1, column 2.": "{",
        "is not YAML: mapping values are not allowed here in line 2, column 5.": "\na: b: c",
        "is not text in utf-8: invalid start byte in line 2.": b"# a\n\xff\xfe\x00\x01",
        "is not YAML: unacceptable character": b"a: \x00\x01",
        "is not a mapping": "- a list",
        "is not a mapping of names to rules, such as": "5",
        f"the rule of '{LIST}' is not text": f'"{LIST}": 5',
        f"'{USAGES}' is not text": f'"{USAGES}": no',
        "'a' is not text": "a: {b: c}",
        "5 is not the name of a rule, which is text": '5: "role:reader"',
        "2026-11-01 is not the name of a rule, which": '2026-11-01: "role:reader"',
        ".yaml: rules refer to themselves in a circle: a -> a.": 'a: "rule:a"',
        "in a circle:": '{a: "rule:b", b: "rule:a"}',
        # A circle of three has this part wherever it begins, but not if it is the wrong way round.
        "a -> b": '{a: "rule:b", b: "rule:c", c: "rule:a"}',
        "circle": '{a: "role:x or (role:y and not rule:b)", b: "@ and rule:a"}',
        f"the rule of '{LIST}' is not understood: '((('": f'"{LIST}": "((("',
        "is not understood: ' '": f'"{LIST}": " "',
        "is not understood: 'role:a role:b'": f'"{LIST}": "role:a role:b"',
        "is not understood: 'nothing' is not a check": f'"{LIST}": "role:reader or nothing"',
        "is not understood: '' is not a check": f'"{LIST}": [["role:reader", ""]]',
        "'role:a and role:b' is not a check": f'"{LIST}": ["role:a and role:b"]',
        "['role:a'] is not a check": f'"{LIST}": [[["role:a"]]]',
        "5 is not a check": f'"{LIST}": [5]',
        "contains an empty list": f'"{LIST}": [[]]',
        f"'{LIST}' is not text": f'"{LIST}":',
        f"the rule of '{LIST}' refers to 'nope', which does not exist": f'"{LIST}": "rule:nope"',
        "refers to '', which does not exist": f'"{LIST}": "not (role:a or rule:)"',
        "refers to 'admn', which does not exist":
            '{default: "@", a: ["role:a", ["@", "rule:admn"]]}',
        "'a' refers to 'b', which does not exist": '{"a": "rule:b"}',
        "not rol:a is always met: rol is not an attribute of callers":
            '{a: "@ and not rol:a"}',
        "not role:%(x)s is always met: x is not an attribute":
            '{a: "role:b or not (@ or role:%(x)s)"}',
        "not role: is always met: nothing follows the colon": '{a: "not rule:b", b: "role:"}',
        "'a' is not understood: http://%(host)s/ cannot be decided: host is not an attribute of":
            '{a: "role:b or http://%(host)s/"}',
        "https://a/%(role)s cannot be decided: role is not an attribute of requests":
            f'{{"{LIST}": "not https://a/%(role)s"}}',
        "http://a/b%2Fc cannot be decided: ": f'{{"{LIST}": [["role:b", "http://a/b%2Fc"]]}}',
        "role:%(x cannot be decided: incomplete format key": f'{{"{LIST}": "role:%(x"}}',
    }
    # {what the log says when a service starts with an odd rule: the rule}
    ODD = {
        "nothing uses the rule 'placement:allocation_candidats:list'; is its name right?":
            '"placement:allocation_candidats:list": "!"',
        "in the rule of 'a', rol:admin is never met: rol is not an attribute of callers.":
            f'{{a: "rol:admin or role:b", "{LIST}": "rule:a"}}',
        f"in the rule of '{LIST}', tenant:%(project_id)s is never met":
            f'"{LIST}": "tenant:%(project_id)s"',
        f"in the rule of '{LIST}', role: is never met: nothing follows the colon.":
            f'"{LIST}": ["role:b", ["role:", "role:c"]]',
        f"in the rule of '{LIST}', project_id:%(tenant)s is never met: tenant is not":
            f'"{LIST}": "project_id:%(tenant)s"',
        f"in the rule of '{LIST}', 3x:y is never met: 3x is not an attribute": f'"{LIST}": "3x:y"',
        f"there are 2 rules with the name '{LIST}'; the last one counts.":
            f'"{LIST}": "!"\n"{LIST}": "role:a"',
        f"there are 3 rules with the name '{LIST}'":
            f'{{"{LIST}": "!", \'{LIST}\': "@", {LIST}: "role:a"}}',
    }
    RIGHT = (
        f'"{LIST}": "!"',
        f'"{LIST}": "role:a and not ! or (!)"',
        f'"{LIST}": "@"',
        f'"{LIST}": ""',
        f'"{LIST}": []',
        f'"{LIST}": ["role:cloud admin", ["role:a", "rule:service_api"], "!"]',
        f'"{LIST}": "not not (role:a OR NOT role:b) and ((role:c))"',
        f'"{LIST}": "rule:admin_api and system:all or roles:admin or is_admin_project:True"',
        f'"{LIST}": "\'reader\':%(user_id)s or True:True or project_id:None"',
        f'"{LIST}": "http://%(project_id)s/ or https://a.%(user_id)s/b"',
        f'{{"default": "!", "own": "role:own", "{LIST}": "rule:own"}}',
        '{"rule:admin_api": "role:boss"}',
        f'{{"rule:admin_api": "rule:service_api", "{LIST}": "rule:rule:admin_api"}}',
        f'{{"{LIST}": "role:reader"}}'.replace("role", "\\u0072ole"),
    )

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(base_fixtures.FakeLogger())
        self.directory = pathlib.Path(self.useFixture(base_fixtures.TempDir()).path)
        self.file = self.directory / "policy.yaml"
        self.fragments = self.directory / "policy.d"
        self.seconds = self.useFixture(
            base_fixtures.MockPatch("time.monotonic", return_value=100.0)
        ).mock

    def policy(self, **overrides):
        files = {
            "oslo_policy__policy_file": str(self.file),
            "oslo_policy__policy_dirs": [str(self.fragments)],
        }
        return policy.Policy(fixtures.configuration(**files | overrides))

    def change(self, path, content):
        """Write a file, and let a second pass."""
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.seconds.return_value += 1

    def may_list(self, rules, role):
        try:
            rules.authorize(LIST, {"project_id": "own", "user_id": "user"}, caller(role))
        except policy.Denied:
            return False
        return True

    def assert_as_before(self, rules, why):
        before = self.log.output
        for _ in range(3):
            self.assertTrue(self.may_list(rules, "reader"), why)
            self.assertFalse(self.may_list(rules, "admin"), why)
            self.assertFalse(rules.is_readable(), why)
            self.seconds.return_value += 1
        lines = self.log.output.removeprefix(before).splitlines()
        said = [line for line in lines if line.startswith("The previous policy stays in force: ")]
        self.assertEqual(1, len(said), lines)
        self.assertIn(why, said[0])
        self.assertNotIn("Traceback", lines)

    def assert_read_again(self, rules, path):
        self.change(path, f'"{LIST}": "role:admin"\n')
        self.assertTrue(self.may_list(rules, "admin"))
        self.assertFalse(self.may_list(rules, "reader"))
        self.assertTrue(rules.is_readable())

    def test_a_bad_policy_file_leaves_the_previous_rules_in_force(self):
        for why, content in self.BAD.items():
            self.change(self.file, self.GOOD)
            rules = self.policy()
            self.change(self.file, content)
            self.assert_as_before(rules, why)
            self.assert_read_again(rules, self.file)

    def test_a_bad_policy_file_in_a_directory_leaves_the_previous_rules_in_force(self):
        for why, content in self.BAD.items():
            self.change(self.fragments / "10.yaml", self.GOOD)
            rules = self.policy()
            self.change(self.fragments / "20.yaml", content)
            self.assert_as_before(rules, why)
            self.assert_read_again(rules, self.fragments / "20.yaml")
            (self.fragments / "20.yaml").unlink()

    def test_a_bad_policy_file_prevents_the_start(self):
        for why, content in self.BAD.items():
            self.change(self.file, content)
            error = self.assertRaises(policy.Unreadable, self.policy)
            self.assertIn(why, str(error))
            self.assertNotIn("\n", str(error))

    def test_a_change_just_after_the_files_were_checked_applies_in_the_next_second(self):
        self.change(self.file, self.GOOD)
        rules = self.policy()
        self.seconds.return_value = 200.9
        self.assertTrue(self.may_list(rules, "reader"))
        self.file.write_text(f'"{LIST}": "role:admin"\n')
        self.seconds.return_value = 201.0
        self.assertFalse(self.may_list(rules, "reader"))

    def test_a_deleted_policy_file_does_not_restore_the_defaults(self):
        for gone in (self.file, self.fragments):
            self.change(self.file, self.GOOD)
            self.change(self.fragments / "10.yaml", "")
            rules = self.policy()
            aside = gone.rename(gone.with_suffix(".aside"))
            self.seconds.return_value += 1
            self.assert_as_before(rules, f"{gone} is gone.")
            aside.rename(gone)
            self.assert_read_again(rules, self.file)

    def test_a_policy_file_removed_from_a_directory_is_noticed(self):
        self.change(self.fragments / "10.yaml", self.GOOD)
        rules = self.policy()
        self.assertTrue(self.may_list(rules, "reader"))
        (self.fragments / "10.yaml").unlink()
        self.seconds.return_value += 1
        self.assertFalse(self.may_list(rules, "reader"))
        self.assertTrue(rules.is_readable())

    def test_a_policy_file_that_cannot_be_opened_is_not_taken_for_empty(self):
        self.change(self.file, self.GOOD)
        rules = self.policy()
        self.file.unlink()
        self.file.mkdir()
        self.seconds.return_value += 1
        self.assert_as_before(rules, f"{self.file} cannot be read: Is a directory.")
        self.assertRaises(policy.Unreadable, self.policy)

    def test_a_policy_file_without_permission_to_read_is_not_taken_for_empty(self):
        if os.geteuid() == 0:
            self.skipTest("root may read any file")
        self.change(self.file, self.GOOD)
        rules = self.policy()
        self.file.chmod(0)
        self.seconds.return_value += 1
        self.assert_as_before(rules, "Permission denied")

    def test_a_file_in_place_of_a_policy_directory_is_refused(self):
        self.change(self.fragments, self.GOOD)
        error = self.assertRaises(policy.Unreadable, self.policy)
        self.assertIn("policy.d is not a directory", str(error))

    def test_a_configured_policy_file_that_does_not_exist_is_logged(self):
        name = "/nonexistent/polcy"
        self.policy_configured(f"policy_file = {name}\npolicy_dirs = {name}\n")
        said = "The policy file /nonexistent/polcy does not exist; the defaults apply.\n"
        self.assertEqual(2 * said, self.log.output)

    def test_a_missing_policy_file_of_the_default_name_is_not_logged(self):
        self.useFixture(base_fixtures.EnvironmentVariable("HOME", str(self.directory)))
        self.policy_configured("")
        self.assertEqual("", self.log.output)

    def policy_configured(self, options):
        file = self.directory / "placement.conf"
        file.write_text(f"[oslo_policy]\n{options}")
        configuration = conf.registered()
        configuration.set_override("connection", "sqlite://", "placement_database")
        configuration([], project="placement", default_config_files=[str(file)])
        return policy.Policy(configuration)

    def test_a_remote_check_without_an_answer_is_not_decided(self):
        for check in ("http://127.0.0.1:1/", "https://127.0.0.1:1/", "http://["):
            self.change(self.file, f'"{LIST}": "{check}"')
            rules = self.policy()
            self.assertRaises(policy.Undecidable, self.may_list, rules, "admin")
            self.assertTrue(self.allows_usages(rules))

    def test_a_new_remote_check_without_an_answer_keeps_the_previous_rules(self):
        """If it fails, one edit of a file locks the users out of the service."""
        for check in ("http://127.0.0.1:1/", "not https://127.0.0.1:1/", "http://[", "http:"):
            self.change(self.file, self.GOOD)
            rules = self.policy()
            self.change(self.file, f'"{LIST}": "{check}"')
            self.assert_as_before(rules, "nothing answers at http")
            self.assert_read_again(rules, self.file)

    def test_a_new_remote_check_applies_as_soon_as_it_is_answered(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            self.change(self.file, self.GOOD)
            rules = self.policy()
            self.change(self.file, f'"{LIST}": "{url}"')
            self.assert_as_before(rules, f"nothing answers at {url} (")
            listener.listen()
            self.assertTrue(self.may_list(rules, "reader"), "asked again within ten seconds")
            self.seconds.return_value += policy.TRY_AGAIN
            self.assertTrue(rules.is_readable())
        self.assertRaises(policy.Undecidable, self.may_list, rules, "reader")
        # A server that was asked before may be down while other rules change.
        self.change(self.file, f'{{"{LIST}": "{url}", "{USAGES}": "!"}}')
        self.assertRaises(policy.Denied, self.allows_usages, rules)
        self.assertTrue(rules.is_readable())

    def test_a_remote_check_whose_server_the_request_names_is_not_tried(self):
        self.change(self.file, self.GOOD)
        rules = self.policy()
        self.change(self.file, f'"{LIST}": "http://%(project_id)s/"')
        self.assertTrue(rules.is_readable())

    def test_a_remote_check_without_an_answer_at_the_start_is_logged(self):
        self.change(self.file, f'"{LIST}": "@ or http://127.0.0.1:1/"')
        self.policy()
        self.assertIn("some requests, which get 503: nothing answers at http://", self.log.output)

    def allows_usages(self, rules):
        rules.authorize(USAGES, {"project_id": "own", "user_id": "user"}, caller("admin"))
        return True

    def test_a_mistake_is_logged_with_its_file_before_oslo_policy_logs_it(self):
        for name in ("policy.yaml", "policy.json"):
            file = self.directory / name
            for rule in ("(((", "role:reader or nothing", "rule:nope", f"rule:{LIST}"):
                self.change(file, f'{{"{LIST}": "{rule}"}}')
                error = self.assertRaises(
                    policy.Unreadable, self.policy, oslo_policy__policy_file=str(file)
                )
                if rule != f"rule:{LIST}":
                    self.assertTrue(str(error).startswith(f"{file}: the rule of '{LIST}' "), error)
        self.assertEqual("", self.log.output)

    def test_a_mistake_is_reported_for_the_last_file_that_has_the_rule(self):
        self.change(self.file, f'"{LIST}": "role:reader"')
        self.change(self.fragments / "10.yaml", f'"{LIST}": "role:reader"')
        self.change(self.fragments / "20.yaml", f'"{LIST}": "rule:nope"')
        error = self.assertRaises(policy.Unreadable, self.policy)
        self.assertIn(f"{self.fragments / '20.yaml'}: the rule of", str(error))
        self.change(self.fragments / "30.yaml", self.GOOD)
        self.assertTrue(self.may_list(self.policy(), "reader"))

    def logged_by(self, act):
        before = self.log.output
        act()
        return self.log.output.removeprefix(before)

    def test_a_suspicious_rule_is_logged_at_the_start_and_after_a_change(self):
        """If it fails, a rule refuses or allows something other than its operator expects."""
        for why, content in self.ODD.items():
            self.change(self.file, content)
            [line] = self.logged_by(self.policy).splitlines()
            self.assertTrue(line.startswith(f"{self.file}: "), line)
            self.assertIn(why, line)
            self.change(self.file, self.GOOD)
            rules = self.policy()
            self.change(self.file, content)
            said = self.logged_by(rules.is_readable).splitlines()
            self.assertEqual(["The policy files have changed, and were read again.", line], said)
            self.assertTrue(rules.is_readable())

    def test_every_rule_that_oslo_policy_understands_is_accepted(self):
        self.useFixture(base_fixtures.MockPatch("warnings.warn"))
        for content in self.RIGHT:
            self.change(self.file, content)
            self.assertEqual("", self.logged_by(self.policy), content)

    def test_rules_for_nobody_and_everybody_keep_their_meaning(self):
        for content, is_allowed in (("!", False), ("@", True), ("", True), ("not !", True)):
            self.change(self.file, f'"{LIST}": "{content}"')
            self.assertEqual(is_allowed, self.may_list(self.policy(), "anybody"))


class Texts(testtools.TestCase):
    def test_only_rules_that_oslo_policy_cannot_parse_are_mistakes(self):
        """Tries all sequences of a few words. In oslo.policy, a mistaken rule allows nobody."""
        self.useFixture(base_fixtures.MonkeyPatch("oslo_policy._parser.LOG.disabled", True))
        never = oslo_policy.RuleDefault("any", "!").check
        words = ("role:a", "and", "NOT", "(role:b", "role:c)", "(", "))")
        for number in range(1, 6):
            for sequence in itertools.product(words, repeat=number):
                text = " ".join(sequence)
                is_refused = oslo_policy.RuleDefault("any", text).check == never
                mistake = rule_text.mistake_in(text)
                self.assertEqual(is_refused, mistake is not None, text)


class Tools(testtools.TestCase):
    """If a test fails, operators check files that the service does not read."""

    def setUp(self):
        super().setUp()
        self.home = self.useFixture(base_fixtures.TempDir()).path
        self.useFixture(base_fixtures.EnvironmentVariable("HOME", self.home))
        self.useFixture(base_fixtures.EnvironmentVariable("OS_PLACEMENT_CONFIG_DIR"))

    def write(self, name, text):
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as output:
            output.write(text)
        return path

    def run_tool(self, name, *arguments):
        # In a process of its own: the tools fill in oslo.config's global configuration.
        return subprocess.run(
            [os.path.join(os.path.dirname(sys.executable), name)]
            + ["--namespace", "placement", *arguments],
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
        )

    def test_policy_tools_find_the_file_that_the_service_reads(self):
        self.write(".placement/placement.conf", "[api]\nauth_strategy = noauth2\n")
        self.write(".placement/policy.yaml", f'"{LIST}": "role:auditor"\n')
        found = self.run_tool("oslopolicy-validator")
        self.assertEqual((0, ""), (found.returncode, found.stdout))
        self.write(".placement/policy.yaml", f'"{LIST}": "rule:nowhere"\n')
        found = self.run_tool("oslopolicy-validator")
        self.assertEqual(1, found.returncode)
        self.assertIn("Invalid rules found", found.stdout)

    def assert_found_elsewhere(self, *arguments):
        self.write("elsewhere/placement.conf", "[oslo_policy]\npolicy_file = rules.yaml\n")
        self.write("elsewhere/rules.yaml", '"unknown:rule": "role:auditor"\n')
        found = self.run_tool("oslopolicy-validator", *arguments)
        self.assertEqual(1, found.returncode)
        self.assertIn("unknown:rule", found.stdout)

    def test_policy_tools_find_the_file_beside_the_named_configuration(self):
        self.assert_found_elsewhere("--config-file", f"{self.home}/elsewhere/placement.conf")

    def test_policy_tools_find_the_file_in_the_named_directory(self):
        self.assert_found_elsewhere("--config-dir", f"{self.home}/elsewhere")

    def test_policy_tools_find_the_file_in_the_directory_of_the_environment(self):
        directory = f"{self.home}/elsewhere"
        self.useFixture(
            base_fixtures.EnvironmentVariable("OS_PLACEMENT_CONFIG_DIR", directory)
        )
        self.assert_found_elsewhere()
