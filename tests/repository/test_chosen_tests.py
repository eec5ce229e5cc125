"""The regular expressions that choose tests: if one matches nothing, fewer tests
run, and nobody notices."""

import pathlib
import re
import unittest

import testtools

from tests import run, stories

REPOSITORY = pathlib.Path(__file__).parents[2]
CHOICE = re.compile(r"\bTESTS=(?:'([^']+)'|([\w.\\]+))|tox -- ([\w.\\]+)")
GROUP = re.compile(r"\((?!\?)([^()]*)\)")


def alternatives(regex):
    """Return the set of regular expressions without `|` that `regex` stands for."""
    if group := GROUP.search(regex):
        before, after = regex[: group.start()], regex[group.end() :]
        parts = (alternatives(f"{before}{part}{after}") for part in group[1].split("|"))
        return set().union(*parts)
    return set(regex.split("|"))


def choices():
    """Yield the place and the text of each regular expression that chooses tests."""
    for regex in run.QUICK:
        if not regex.startswith("--"):
            yield "tests/run.py", regex
    texts = [*REPOSITORY.glob("doc/**/*.rst"), REPOSITORY / "README.rst"]
    for path in [*texts, *map(REPOSITORY.joinpath, ("Makefile", ".ci/run", "tox.ini"))]:
        for found in CHOICE.findall(path.read_text()):
            yield path.name, "".join(found)


def all_ids():
    """Return the ids of the tests on all databases, and how the ids of each story begin."""
    suite, directory = unittest.TestSuite(), REPOSITORY / "tests"
    for path in directory.rglob("test_*.py"):
        if path.stem != "test_gabbits":
            name = ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
            suite.addTests(unittest.defaultTestLoader.loadTestsFromName(name))
    ids = [test.id() for test in testtools.iterate_tests(suite)]
    for kind in ("Mysql", "Postgresql"):
        ids += [each.replace("OnSqlite.", f"On{kind}.") for each in ids if "OnSqlite." in each]
    paths = stories.STORIES.glob("*.yaml")
    return ids + [f"tests.test_gabbits.on_sqlite.{path.stem}_" for path in paths]


class ChosenTests(testtools.TestCase):
    def test_every_alternative_of_a_regex_for_tests_matches_a_test(self):
        ids, places = all_ids(), set()
        for place, regex in choices():
            places.add(place)
            for each in alternatives(regex):
                self.assertTrue(any(re.search(each, name) for name in ids), f"{place}: {each}")
        self.assertEqual({"tests/run.py", "run", "Makefile", "tests.rst"}, places)

    def test_groups_in_a_regex_are_expanded_before_alternatives_are_split(self):
        self.assertEqual(
            {r"a\.b\.On1", r"a\.b\.On2", r"a\.c\.On1", r"a\.c\.On2", "d"},
            alternatives(r"a\.(b|c)\.On(1|2)|d"),
        )
