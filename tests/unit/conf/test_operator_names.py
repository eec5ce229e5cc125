"""The names that operators give to UUIDs are read again when they change, and kept while broken."""

import json
import os
import pathlib
import tempfile
import time
from unittest import mock

import fixtures
import testtools

from placement.conf import operator_names

RACK, PROJECT = "aaaaaaaa-0000-4000-8000-000000000001", "0123456789abcdef0123456789abcdef"


class NamesFile(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.path = pathlib.Path(self.useFixture(fixtures.TempDir()).path) / "names.json"
        self.now = time.monotonic()
        self.useFixture(
            fixtures.MockPatch("time.monotonic", new=lambda: self.now)
        )
        self.write(json.dumps({RACK: "Rack 12", PROJECT: "web"}))
        self.names = operator_names.GivenNames(str(self.path))

    def write(self, text):
        """Replace the file, as an operator should, and let a second pass."""
        with tempfile.NamedTemporaryFile("w", dir=self.path.parent, delete=False) as file:
            file.write(text)
        os.replace(file.name, self.path)
        self.now += 1

    def of(self, *ids):
        return self.names.of(ids)

    def test_ids_have_the_names_in_the_file(self):
        self.assertEqual({RACK: "Rack 12"}, self.of(RACK, "other"))

    def test_names_stand_beside_ids_whole_or_within_a_text(self):
        self.write(json.dumps({RACK: "Rack 12", PROJECT: "web", "batch": "Night jobs"}))
        for text, shown in {
            RACK: f"{RACK} (Rack 12)",
            PROJECT: f"{PROJECT} (web)",
            "batch": "batch (Night jobs)",
            f"member_of in:{RACK},{RACK[:-1]}2 of batch": (
                f"member_of in:{RACK} (Rack 12),{RACK[:-1]}2 of batch"
            ),
            f"{PROJECT}0": f"{PROJECT}0",
            "": "",
        }.items():
            self.assertEqual(shown, self.names.added_to(text))

    def test_ids_are_found_by_the_beginning_of_their_names_in_any_case(self):
        self.assertEqual([RACK], self.names.beginning_with("rack", 10))
        self.assertEqual([PROJECT], self.names.beginning_with("W", 10))
        self.assertEqual([], self.names.beginning_with("ack", 10))
        self.write(json.dumps({str(number): "same" for number in range(5)}))
        self.assertEqual(["0", "1"], self.names.beginning_with("same", 2))

    def test_a_file_is_read_again_when_it_has_changed(self):
        self.of(RACK)
        self.write(json.dumps({RACK: "Rack 13"}))
        self.assertEqual({RACK: "Rack 13"}, self.of(RACK, PROJECT))

    def test_a_file_that_has_not_changed_is_not_read_again(self):
        self.of(RACK)
        self.now += 60
        with mock.patch.object(operator_names, "load") as load:
            self.assertEqual({RACK: "Rack 12"}, self.of(RACK))
        load.assert_not_called()

    def test_a_broken_file_keeps_the_names_and_is_logged_once(self):
        for text, complaint in (
            ('{"a": ', "is not JSON: "),
            ("[" * 100_000, "is nested too deeply."),
            (f'{{"a": {"[" * 500}{"]" * 500}}}', "is nested too deeply."),
            (r'{"a": "\ud800"}', r"has half of a surrogate pair: \ud800."),
            (r'{"\udc00": "a"}', r"has half of a surrogate pair: \udc00."),
            ('["a"]', "is not a JSON object that gives the name of each UUID."),
            ('{"b": "B", "a": 1}', "is wrong: the name of 'a' is 1, which is not text."),
        ):
            self.of(RACK)
            before = len(self.log.output.splitlines())
            self.write(text)
            for _ in range(3):
                self.assertEqual({RACK: "Rack 12"}, self.of(RACK))
                self.now += 1
            added = self.log.output.splitlines()[before:]
            self.assertEqual(1, len(added), added)
            self.assertIn(f"[operator] names: {self.path} {complaint}", added[0])
            self.assertTrue(added[0].endswith(" The previous names stay."), added[0])

    def test_a_file_that_is_gone_keeps_the_names(self):
        self.of(RACK)
        self.path.unlink()
        self.now += 1
        self.assertEqual({RACK: "Rack 12"}, self.of(RACK))
        self.assertIn("cannot be read: No such file or directory.", self.log.output)

    def test_a_file_that_is_too_large_is_refused(self):
        self.of(RACK)
        with mock.patch.object(operator_names, "MOST_BYTES", 10):
            self.write(json.dumps({RACK: "Rack 14"}))
            self.assertEqual({RACK: "Rack 12"}, self.of(RACK))
        self.assertIn("has more than 10 bytes.", self.log.output)

    def test_without_a_file_nothing_has_a_name(self):
        names = operator_names.GivenNames(None)
        self.assertEqual({}, names.of([RACK]))
        self.assertEqual([], names.beginning_with("r", 10))

    def test_empty_names_are_ignored(self):
        self.write(json.dumps({RACK: ""}))
        self.assertEqual({}, self.of(RACK))
        self.assertEqual([], self.names.beginning_with("", 10))
