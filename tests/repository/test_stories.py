"""The worlds of stories. If a test fails, stories do not test what they claim to test."""

import pathlib
import re
import unittest
from unittest import mock

import fixtures
import testtools
import yaml

from tests import stories, test_gabbits

STORY = """\
world: |
  host {VCPU 4 reserved 1,
        MEMORY_MB 8} <CUSTOM_FAST> [rack]
    card {CUSTOM_PORT 2}
  disk {DISK_GB 9} <SHARE> [rack]
  instance (INSTANCE project user) uses card(CUSTOM_PORT 1) + disk(DISK_GB 2)
  later: other

tests:

- name: the host is found
  GET: /resource_providers?name=<host.name>&uuid=<host>
  response_json_paths:
    $.resource_providers[0].uuid: <host>
"""
HASH = "043a718774c5"
HOST, CARD, DISK = (f"c000000{number}-0000-4000-8000-{HASH}" for number in (1, 2, 3))
RACK, INSTANCE = (f"{kind}0000001-0000-4000-8000-{HASH}" for kind in "ae")


def requests_of(text):
    return yaml.safe_load(stories.expanded("s", text))["tests"]


def sent(request):
    """Return (method, URL, body, status) of a request of a world."""
    method = "POST" if "POST" in request else "PUT"
    return (method, request[method], request.get("data"), request["status"])


def is_of_older_version(request):
    version = (request.get("request_headers") or {}).get("openstack-api-version", "")
    return re.fullmatch(r"placement 1\.\d\d?", version)


class Worlds(testtools.TestCase):
    def test_everything_in_a_drawing_is_created_before_the_story(self):
        *made, _ = requests_of(STORY)
        self.assertEqual(
            [
                ("PUT", "/resource_classes/CUSTOM_PORT", None, 201),
                ("PUT", "/traits/CUSTOM_FAST", None, 201),
                ("POST", "/resource_providers", {"uuid": HOST, "name": "s-host"}, 200),
                (
                    "PUT",
                    f"/resource_providers/{HOST}/inventories",
                    {
                        "resource_provider_generation": 0,
                        "inventories": {
                            "VCPU": {"total": 4, "reserved": 1},
                            "MEMORY_MB": {"total": 8},
                        },
                    },
                    200,
                ),
                (
                    "PUT",
                    f"/resource_providers/{HOST}/traits",
                    {"resource_provider_generation": 1, "traits": ["CUSTOM_FAST"]},
                    200,
                ),
                (
                    "PUT",
                    f"/resource_providers/{HOST}/aggregates",
                    {"resource_provider_generation": 2, "aggregates": [RACK]},
                    200,
                ),
            ],
            [sent(request) for request in made[:6]],
        )
        self.assertEqual(
            {"uuid": CARD, "name": "s-card", "parent_provider_uuid": HOST}, made[6]["data"]
        )
        self.assertEqual({"uuid": DISK, "name": "s-disk"}, made[8]["data"])
        self.assertEqual(["MISC_SHARES_VIA_AGGREGATE"], made[10]["data"]["traits"])
        self.assertEqual(
            (
                "PUT",
                f"/allocations/{INSTANCE}",
                {
                    "allocations": {
                        CARD: {"resources": {"CUSTOM_PORT": 1}},
                        DISK: {"resources": {"DISK_GB": 2}},
                    },
                    "project_id": "project",
                    "user_id": "user",
                    "consumer_generation": None,
                    "consumer_type": "INSTANCE",
                },
                204,
            ),
            sent(made[12]),
        )
        self.assertEqual(13, len(made))

    def test_names_stand_for_uuids_in_urls_and_in_expected_answers(self):
        story = requests_of(STORY)[-1]
        self.assertEqual(f"/resource_providers?name=s-host&uuid={HOST}", story["GET"])
        self.assertEqual({"$.resource_providers[0].uuid": HOST}, story["response_json_paths"])

    def test_a_generation_is_the_one_in_this_world(self):
        for name, generation in (("host", 3), ("card", 2), ("disk", 4), ("instance", 1)):
            text = STORY.replace("$.resource_providers[0].uuid: <host>", f"a: <{name}.generation>")
            self.assertEqual({"a": generation}, requests_of(text)[-1]["response_json_paths"])

    def test_a_name_that_is_not_drawn_is_refused(self):
        for name in ("<hots>", "<other.name>", "<other.generation>"):
            error = self.assertRaises(
                ValueError, stories.expanded, "s", STORY.replace("<host>", name)
            )
            self.assertEqual(f"s: {name} is not in its world.", str(error))

    def test_classes_and_traits_that_no_provider_has_are_created_too(self):
        for unused, created in (
            (
                "{CUSTOM_PIN, CUSTOM_PORT} <CUSTOM_SLOW>",
                {"/resource_classes/CUSTOM_PIN", "/traits/CUSTOM_SLOW"},
            ),
            ("<CUSTOM_SLOW, CUSTOM_SOFT>", {"/traits/CUSTOM_SLOW", "/traits/CUSTOM_SOFT"}),
            ("{CUSTOM_PIN}", {"/resource_classes/CUSTOM_PIN"}),
        ):
            *made, _ = requests_of(STORY.replace("later: other", f"unused: {unused}"))
            names = [url for method, url, body, _ in map(sent, made) if body is None]
            self.assertEqual(
                sorted({"/resource_classes/CUSTOM_PORT", "/traits/CUSTOM_FAST"} | created),
                sorted(names),
            )

    def test_a_world_may_have_nothing_but_unused_classes_and_traits(self):
        drawing = "unused: {CUSTOM_PIN} <CUSTOM_SLOW>"
        *made, _ = requests_of(f"world: |\n  {drawing}\n\ntests:\n\n- GET: /\n")
        self.assertEqual(
            [
                ("PUT", "/resource_classes/CUSTOM_PIN", None, 201),
                ("PUT", "/traits/CUSTOM_SLOW", None, 201),
            ],
            [sent(request) for request in made],
        )

    def test_a_tag_of_html_is_not_a_name(self):
        text = STORY.replace("the host is found", "<h1>Not Found</h1>")
        self.assertEqual("<h1>Not Found</h1>", requests_of(text)[-1]["name"])
        self.assertRaises(ValueError, requests_of, text.replace("</h1>", ""))

    def test_a_line_that_draws_nothing_is_refused(self):
        for drawn, mistaken in (
            ("<SHARE> [rack]", "[rack] <SHARE>"),
            ("later: other", "unused: CUSTOM_PIN"),
            ("later: other", "unused: <CUSTOM_SLOW> {CUSTOM_PIN}"),
        ):
            text = STORY.replace(drawn, mistaken)
            self.assertRaises(ValueError, stories.expanded, "s", text)

    def test_a_story_without_a_world_is_left_alone(self):
        text = "defaults: {request_headers: {}}\n\ntests:\n- name: <host>\n"
        self.assertEqual(text, stories.expanded("s", text))


class Defaults(testtools.TestCase):
    def test_an_administrator_tells_a_story_without_defaults_in_the_newest_version(self):
        for text in (STORY, "tests:\n- name: versions\n  GET: /\n"):
            told = yaml.safe_load(stories.expanded("s", text))
            self.assertEqual({"request_headers": stories.HEADERS}, told["defaults"])
        self.assertEqual("admin", stories.HEADERS["x-auth-token"])
        self.assertEqual("placement latest", stories.HEADERS["openstack-api-version"])

    def test_a_story_with_other_defaults_gets_the_headers_too(self):
        query = {"query_parameters": {"root_required": "CUSTOM_FAST"}}
        for text in (
            f"defaults: {query}\n\n{STORY}",
            STORY.replace(
                "tests:",
                "defaults:\n  query_parameters:\n    root_required: CUSTOM_FAST\n\ntests:",
            ),
        ):
            told = yaml.safe_load(stories.expanded("s", text))
            self.assertEqual({"request_headers": stories.HEADERS} | query, told["defaults"])

    def test_the_query_of_the_defaults_is_not_added_to_the_requests_of_a_world(self):
        query = {"query_parameters": {"root_required": "CUSTOM_FAST"}}
        *made, told = requests_of(f"defaults: {query}\n\n{STORY}")
        self.assertEqual({None}, {request["query_parameters"] for request in made})
        self.assertNotIn("query_parameters", told)

    def test_a_story_keeps_its_own_headers(self):
        defaults = {"request_headers": {"x-roles": "reader"}}
        text = f"defaults: {defaults}\n\n{STORY}"
        self.assertEqual(defaults, yaml.safe_load(stories.expanded("s", text))["defaults"])


class Choosing(testtools.TestCase):
    """`python -m unittest -k PATTERN tests.test_gabbits`."""

    def chosen(self, pattern):
        """Load the one STORY with a pattern, as unittest passes it on. Return a suite."""
        loader = unittest.TestLoader()
        loader.testNamePatterns = [f"*{pattern}*"]
        directory = self.useFixture(fixtures.TempDir()).path
        pathlib.Path(directory, "s.yaml").write_text(STORY)
        with mock.patch.object(stories, "STORIES", pathlib.Path(directory)):
            return test_gabbits.load_tests(loader, None, None)

    def test_a_request_may_be_chosen_and_those_before_it_are_made_too(self):
        chosen = self.chosen("on_sqlite.*the_host_is_found")
        [request] = testtools.iterate_tests(chosen)
        self.assertIn("_the_host_is_found.", request.id())
        result = unittest.TestResult()
        chosen.run(result)
        self.assertEqual((1, []), (result.testsRun, [*result.failures, *result.errors]))

    def test_a_pattern_that_no_request_matches_chooses_none(self):
        self.assertEqual([], list(testtools.iterate_tests(self.chosen("no_such_request"))))


class Names(testtools.TestCase):
    def test_the_name_of_a_request_of_an_older_version_says_a_version(self):
        silent = [
            (path.stem, request["name"])
            for path in sorted(stories.STORIES.glob("*.yaml"))
            if not path.stem.endswith("-refusals")
            for request in stories.load(path)["tests"]
            if is_of_older_version(request) and not re.search(r"\b1\.\d", request["name"])
        ]
        self.assertEqual([], silent)


class LineLength(testtools.TestCase):
    def test_a_line_of_a_story_fits_into_100_columns(self):
        too_long = [
            f"{path.name}:{number}"
            for path in sorted(stories.STORIES.glob("*.yaml"))
            for number, line in enumerate(path.read_text().splitlines(), 1)
            if len(line) > 100
        ]
        self.assertEqual([], too_long)
