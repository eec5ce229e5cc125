"""The pages for developers name everything that exists, and nothing that is gone."""

import inspect
import itertools
import operator
import pathlib
import re

import testtools

import placement
from placement import deploy, middleware

PACKAGE = pathlib.Path(placement.__file__).parent
REPOSITORY = pathlib.Path(__file__).parents[2]
PAGES = REPOSITORY / "doc" / "how-to" / "develop"


def names_in(directory):
    """Return what a directory of code has: modules, and directories, which end in a slash."""
    files = (path for path in directory.glob("*/*") if path.suffix in (".js", ".py", ".yaml"))
    directories = {path.parent for path in files}
    modules = {path.name for path in directory.glob("*.py")} - {"__init__.py"}
    return modules | {f"{path.name}/" for path in directories}


class Map(testtools.TestCase):
    def named(self, page, regex):
        """Return what the groups of a regular expression find on a page for developers."""
        return set(re.findall(regex, (PAGES / page).read_text()))

    def test_every_folder_of_the_package_is_on_the_map(self):
        named = self.named("modules.rst", r"``placement/([a-z_]+(?:/|\.py))``")
        self.assertEqual(names_in(PACKAGE), named)

    def test_every_folder_of_tests_is_on_the_page_about_tests(self):
        named = self.named("tests.rst", r"``tests/([a-z_]+/)``")
        there = {name for name in names_in(REPOSITORY / "tests") if name.endswith("/")}
        self.assertEqual(there, named)

    def test_unit_tests_mirror_the_package_as_the_page_about_tests_says(self):
        page = (PAGES / "tests.rst").read_text()
        (said,) = re.findall(r"^``tests/unit/``\n((?:    .*\n)+)", page, re.MULTILINE)
        there = names_in(REPOSITORY / "tests" / "unit")
        for folder in (name for name in names_in(PACKAGE) if name.endswith("/")):
            mirrors = {folder, f"test_{folder[:-1]}.py"}
            self.assertTrue(mirrors & there or f"``{folder}``" in said, folder)

    def test_every_command_that_make_help_lists_is_on_a_page(self):
        makefile = (REPOSITORY / "Makefile").read_text()
        listed = set(re.findall(r'^\t@echo "make ([a-z-]+)', makefile, re.MULTILINE))
        pages = [REPOSITORY / "README.rst", PAGES.with_suffix(".rst"), *PAGES.glob("*.rst")]
        text = "".join(page.read_text() for page in pages)
        # These two are explained by the list itself.
        named = {"help", "clean"} | set(re.findall(r"``make\s([a-z-]+)", text))
        self.assertEqual(set(), listed - named)

    def test_clean_removes_whatever_git_ignores(self):
        """Except what other programs than make create, and the server of `make serve`."""
        makefile = (REPOSITORY / "Makefile").read_text()
        (recipe,) = re.findall(r"^clean:\n(.*?)(?:\n\n|\Z)", makefile, re.M | re.S)
        named = re.findall(r"^([A-Z]+) := (?:\.venv$|\$\(VENV\)-)", makefile, re.MULTILINE)
        environments = {f"$({name})" for name in named}
        ignored = (REPOSITORY / ".gitignore").read_text().split()
        of_others = re.compile("/debian/|/.pybuild/|/.tox/|/var/|/.venv")
        names = {each.strip("/") for each in ignored if not of_others.match(each)}
        self.assertEqual(set(), (names | environments) - set(recipe.split()))

    def test_every_variable_of_the_tests_is_on_the_page_about_tests(self):
        used = set()
        for path in (REPOSITORY / "tests").rglob("*.py"):
            used |= set(re.findall(r"\bPLACEMENT_TEST_[A-Z]+(?:_[A-Z]+)*\b", path.read_text()))
        self.assertEqual(used, self.named("tests.rst", r"\bPLACEMENT_TEST_\w+"))

    def test_every_placeholder_for_a_publisher_is_on_the_page_about_releases(self):
        regex = r"\b(?:git|security@|placement-server@)\.?example\.org"
        page = PAGES / "release.rst"
        listed = set(re.findall(r"``([\w./-]+)``", page.read_text()))
        for pattern in ("*.rst", "debian/control", "debian/changelog", "doc/**/*.rst"):
            for path in REPOSITORY.glob(pattern):
                if path != page and re.search(regex, path.read_text()):
                    name = path.relative_to(REPOSITORY)
                    self.assertTrue({f"{name}", f"{name.parent}/"} & listed, name)

    def test_the_order_of_the_middleware_is_that_of_the_application(self):
        inner_first = re.findall(r"\bapplication = ([\w.]+)\(", inspect.getsource(deploy.compose))
        layers = {deploy.Dispatcher: None, deploy.audited: "audit_events"}
        composed = []
        for name in reversed(inner_first):
            layer = operator.attrgetter(name)(deploy)
            composed.append(layers.get(layer, layer.__module__.rpartition(".")[2]))
        # The first one to wrap is the last in the order; both kinds of auth are in one module.
        *composed, innermost = (name for name, _ in itertools.groupby(composed))
        self.assertIsNone(innermost)
        listed = re.findall(r"^    ([a-z_]+) +(called by)?", middleware.__doc__, re.MULTILINE)
        self.assertEqual([name for name, called in listed if not called], composed)

    def test_the_order_of_the_middleware_has_every_layer(self):
        named = set(re.findall(r"^    ([a-z_]+) ", middleware.__doc__, re.MULTILINE))
        modules = {name.removesuffix(".py") for name in names_in(PACKAGE / "middleware")}
        self.assertEqual(modules, named)
