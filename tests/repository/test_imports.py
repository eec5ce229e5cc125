"""Imports run one way, down the map of the modules. SQL and HTTP have their layers."""

import ast
import collections
import functools
import graphlib
import itertools
import pathlib
import re

import testtools

import placement

PACKAGE = pathlib.Path(placement.__file__).parent

REPOSITORY = PACKAGE.parent
CLIENT = REPOSITORY / "client" / "osc_placement_server"
BENCH = REPOSITORY / "bench"
# The directories with Python modules.
PLACES = (
    "alembic", "bench", "build_backend", "client", "demo", "doc", "etc", "placement", "tests",
)
# The packages of the benchmark, each of which may import those after it.
PACKAGES_OF_BENCH = ("reports", "running", "measuring", "clouds")

# Modules that belong to no layer; any module may import them.
COMMON = (
    "placement.cost",
    "placement.errors",
    "placement.exception",
    "placement.constants",
)

HTTP = (
    "http",
    "urllib.request",
    "requests",
    "webob",
    "microversion_parse",
    "orjson",
    "placement.microversion",
    "placement.handlers",
    "placement.middleware",
)
SQL = (
    "sqlalchemy", "alembic", "oslo_db.sqlalchemy",
    "sqlite3", "pymysql", "MySQLdb", "psycopg2", "psycopg",
)


def _module_name(path):
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@functools.cache
def imported_by(module):
    """Return the full names of the modules that a module imports, at its top or further down."""
    names = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            submodules = members & MODULES.keys()
            names |= submodules
            if submodules != members:
                names.add(node.module)
    return names


def reached_from(module, stopping_at=()):
    """Return what a module makes Python import: {name: the module that imports it}.

    Whatever imports a module also imports the packages that it is in. What is imported only through
    a package of `stopping_at` is left out, and so is that package.
    """
    reached = {module: None}
    waiting = [module]
    for name in waiting:
        if name not in MODULES:
            continue
        parents = set(itertools.accumulate(name.split(".")[:-1], "{}.{}".format))
        for other in imported_by(name) | parents:
            if other not in reached and not is_in(other, stopping_at):
                reached[other] = name
                waiting.append(other)
    return reached


def is_pure(module):
    """Return whether the docstring of a module says that it is pure."""
    docstring = ast.get_docstring(ast.parse(MODULES[module].read_text())) or ""
    return re.search(r"\bpure\b", docstring, re.IGNORECASE) is not None


def is_in(name, packages):
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def modules_that_import(package):
    """Return the modules that import something from a package that they are not in.

    Modules for the tests of other projects are left out, and so is a parent package that only
    re-exports this package.
    """
    return {
        module
        for module in MODULES
        if not is_in(module, [package, "placement.tests"]) and not is_in(package, [module])
        if any(is_in(name, [package]) for name in imported_by(module))
    }


def named_callers(package):
    """Return the packages and modules that a package, as its docstring says, is "Called by"."""
    docstring = ast.get_docstring(ast.parse(MODULES[package].read_text()))
    sentence = re.search(r"Called\s+by\s(.*?)\.(?:\s|\Z)", docstring, re.DOTALL)
    text = re.sub(r"the\s+commands", "cmd/", sentence[1]) if sentence else ""
    words = [word.strip(",;") for word in text.split()]
    return {
        "placement." + word.removesuffix(".py").strip("/").replace("/", ".")
        for word in words
        if "/" in word or word.endswith(".py")
    }


def read_layers():
    """Return the map of the modules in the documentation: {package or module: its line}."""
    page = (REPOSITORY / "doc" / "how-to" / "develop" / "modules.rst").read_text()
    lines = re.findall(r"^``placement/.*$", page, re.MULTILINE)
    return {
        f"placement.{name}": number
        for number, line in enumerate(lines)
        for name in re.findall(r"``placement/(\w+)(?:/|\.py)``", line)
    }


def layer_of(name):
    """Return the package or module of the map that a module belongs to."""
    return ".".join(name.split(".")[:2])


class Imports(testtools.TestCase):
    def test_each_layer_imports_only_those_below_it_on_the_map(self):
        layers = read_layers()
        wrong = [
            f"{module} imports {name}"
            for module in MODULES.keys() - {"placement"}
            for name in imported_by(module)
            if is_in(name, ["placement"])
            and layer_of(name) != layer_of(module)
            and layers[layer_of(name)] <= layers[layer_of(module)]
        ]
        self.assertEqual([], wrong)

    def assert_project_imports(self, package, allowed):
        """Check that a package imports nothing from this project except what is allowed."""
        allowed = (package, *COMMON, *allowed)
        wrong = [
            f"{module} imports {name}"
            for module in MODULES
            if is_in(module, [package])
            for name in imported_by(module)
            if is_in(name, ["placement"]) and not is_in(name, allowed)
        ]
        self.assertEqual([], wrong)

    def assert_unknown(self, libraries, modules):
        wrong = [
            f"{module} imports {name}"
            for module in modules
            for name in imported_by(module)
            if is_in(name, libraries)
        ]
        self.assertEqual([], wrong)

    def test_the_database_layer_imports_none_above_it(self):
        self.assert_project_imports("placement.db", [])

    def test_the_parts_of_statements_import_no_resource(self):
        self.assert_project_imports(
            "placement.db.sql",
            ["placement.db.chunks", "placement.db.faults", "placement.db.tables"],
        )
        self.assert_project_imports("placement.db.faults", [])

    def test_objects_import_nothing_but_the_database_layer(self):
        self.assert_project_imports("placement.objects", ["placement.db"])

    def test_candidates_import_nothing_but_the_database_layer(self):
        self.assert_project_imports("placement.candidates", ["placement.db"])

    def test_schemas_and_policies_import_no_other_layer(self):
        self.assert_project_imports("placement.schemas", [])
        self.assert_project_imports("placement.policies", [])

    def test_handlers_do_not_bypass_the_objects(self):
        handlers = [name for name in MODULES if is_in(name, ["placement.handlers"])]
        self.assert_unknown(["placement.db"], handlers)

    def test_only_the_search_imports_the_queries_for_it(self):
        """The statements of db/search change with the search: nothing else may depend on them."""
        others = [
            name
            for name in MODULES
            if not is_in(name, ["placement.candidates", "placement.db.search"])
        ]
        self.assert_unknown(["placement.db.search"], others)

    def test_only_the_database_layer_imports_tables_and_the_parts_of_statements(self):
        others = [name for name in MODULES if not is_in(name, ["placement.db"])]
        self.assert_unknown(["placement.db.sql", "placement.db.tables"], others)

    def test_what_is_private_to_the_engine_is_imported_by_the_database_layer_only(self):
        others = [name for name in MODULES if not is_in(name, ["placement.db"])]
        public = ["connection_marks", "health", "timeouts"]
        wrong = [
            f"{module} imports {name}"
            for module in others
            for name in imported_by(module)
            if is_in(name, ["placement.db.engine"]) and name in MODULES
            and name.removeprefix("placement.db.engine").strip(".") not in ["", *public]
        ]
        self.assertEqual([], wrong)

    def test_queries_and_documents_import_no_handler(self):
        below = ["placement.objects", "placement.candidates", "placement.microversion"]
        self.assert_project_imports("placement.queries", [*below, "placement.schemas"])
        self.assert_project_imports("placement.documents", below)

    def test_queries_know_no_request(self):
        """Commands parse them, too, from text. What they use of WebOb only splits text."""
        allowed = ["webob.compat", "webob.multidict", "placement.microversion"]
        wrong = [
            f"{module} imports {name}"
            for module in MODULES
            if is_in(module, ["placement.queries"])
            for name in imported_by(module)
            if is_in(name, HTTP) and not is_in(name, allowed)
        ]
        self.assertEqual([], wrong)

    def test_commands_reach_no_handler(self):
        """Otherwise, a command would have to make up requests, and depend on HTTP.

        Only the description of the API, which one command prints, is made from the handlers.
        """
        http = [
            "placement.handler", "placement.handlers", "placement.middleware", "placement.web",
            "webob.exc", "webob.request",
        ]
        for name in MODULES:
            if is_in(name, ["placement.cmd"]):
                reached = reached_from(name, stopping_at=["placement.openapi"])
                wrong = [
                    f"{by} imports {each}" for each, by in reached.items() if is_in(each, http)
                ]
                self.assertEqual([], wrong, name)

    def test_middleware_imports_no_handler(self):
        layers = [name for name in MODULES if is_in(name, ["placement.middleware"])]
        self.assert_unknown(
            ["placement.handler", "placement.handlers", "placement.objects"], layers
        )

    def test_the_commands_of_openstackclient_and_the_service_do_not_import_each_other(self):
        """They are two distributions; an operator's machine may have only one of them."""
        self.assert_unknown(["osc_placement_server"], MODULES)
        sources = [path.read_text() for path in CLIENT.rglob("*.py")]
        self.assertGreater(len(sources), 5)
        for source in sources:
            self.assertNotRegex(source, r"(?m)^ *(import|from) (placement|tests)\b")

    def test_only_the_database_layer_imports_sqlalchemy(self):
        others = [name for name in MODULES if not is_in(name, ["placement.db"])]
        self.assert_unknown(SQL, others)

    def test_only_the_database_layer_executes_statements(self):
        """A connection that others are given is for handing on: text in SQL needs no import."""
        executing = re.compile(r"\b(exec_driver_sql|executemany|execute|scalars?)\(")
        wrong = [
            f"{module}, line {number}"
            for module, path in MODULES.items()
            if not is_in(module, ["placement.db", "placement.tests"])
            for number, line in enumerate(path.read_text().splitlines(), start=1)
            if executing.search(line)
        ]
        self.assertEqual([], wrong)

    def test_nothing_below_the_handlers_imports_http(self):
        below = [
            "placement.db", "placement.objects", "placement.candidates", "placement.schemas",
            "placement.policies", *COMMON,
        ]
        self.assert_unknown(HTTP, [name for name in MODULES if is_in(name, below)])

    def test_requests_stay_in_the_handlers_and_around_them(self):
        """These may write JSON, and know the versions of the API, but not who asks."""
        others = [
            "placement.background", "placement.conf", "placement.documents", "placement.flavors",
            "placement.metrics",
        ]
        self.assert_unknown(
            ["webob", "microversion_parse"], [name for name in MODULES if is_in(name, others)]
        )

    def test_modules_that_are_called_pure_import_no_database(self):
        """Neither they nor anything that they import, directly or not, imports SQLAlchemy."""
        pure = [name for name in MODULES if is_pure(name)]
        self.assertGreater(len(pure), 30)
        for name in pure:
            reached = reached_from(name)
            wrong = [f"{by} imports {each}" for each, by in reached.items() if is_in(each, SQL)]
            self.assertEqual([], wrong, name)

    def test_the_search_imports_only_values(self):
        search = [
            f"placement.candidates.{module}"
            for module in (
                "solver.anchors", "solver.problem", "solver.assignment", "solver.subtrees",
                "solver.packing", "solver.nogoods", "effort", "rules", "forests", "fits.what_if",
            )
        ]
        values = ["placement.db.provider_room", *search]
        for name in search:
            wrong = [
                other
                for other in imported_by(name)
                if is_in(other, ["placement"]) and other not in values
            ]
            self.assertEqual([], wrong, name)

    def test_the_room_of_a_provider_is_a_plain_value(self):
        self.assertEqual({"typing"}, imported_by("placement.db.provider_room"))

    def test_the_packages_of_the_benchmark_import_one_way_and_no_command(self):
        for number, package in enumerate(PACKAGES_OF_BENCH):
            sources = "\n".join(path.read_text() for path in (BENCH / package).glob("*.py"))
            imported = set(re.findall(r"^(?:from|import) bench\b\.?(\w*)", sources, re.MULTILINE))
            self.assertLessEqual(imported, set(PACKAGES_OF_BENCH[number:]), package)
        self.assertEqual({*PACKAGES_OF_BENCH}, {path.parent.name for path in BENCH.glob("*/*.py")})


class Callers(testtools.TestCase):
    """The docstring of a package says who calls it, in a sentence that begins with "Called by".

    It names folders and modules, relative to placement/; a folder stands for everything in it.
    """

    packages = [
        name
        for name, path in MODULES.items()
        if path.name == "__init__.py"
        and not is_in(name, ["placement.tests"])
        and name != "placement"
    ]

    def test_all_callers_are_named(self):
        wrong = [
            f"{package} does not say that it is called by {module}"
            for package in self.packages
            for module in modules_that_import(package)
            if not is_in(module, named_callers(package))
        ]
        self.assertEqual([], wrong)

    def test_no_others_are_named(self):
        wrong = [
            f"{package} says that it is called by {name}"
            for package in self.packages
            for name in named_callers(package)
            if not any(is_in(module, [name]) for module in modules_that_import(package))
        ]
        self.assertEqual([], wrong)


class Circles(testtools.TestCase):
    def test_no_modules_import_each_other_in_a_circle(self):
        """Modules in a circle can only be read, tested and moved together."""
        sorter = graphlib.TopologicalSorter(
            {name: imported_by(name) & MODULES.keys() - {name} for name in MODULES}
        )
        sorter.prepare()


class Folders(testtools.TestCase):
    """A folder with more modules than one can remember has more than one subject."""

    def test_no_folder_has_more_than_twenty_modules(self):
        sizes = collections.Counter(
            path.parent for place in PLACES for path in (REPOSITORY / place).rglob("*.py")
        )
        self.assertLess(len(MODULES), sizes.total())
        crowded = {str(folder): size for folder, size in sizes.items() if size > 21}
        self.assertEqual({}, crowded)

    def test_the_package_has_few_modules_outside_of_folders(self):
        loose = [path.name for path in PACKAGE.glob("*.py") if path.name != "__init__.py"]
        self.assertTrue(len(loose) <= 11, loose)

    def test_each_folder_describes_its_purpose(self):
        mute = [
            name
            for name, path in MODULES.items()
            if path.name == "__init__.py"
            and path.stat().st_size == 0
            and not is_in(name, ["placement.tests"])
        ]
        mute += [path for path in BENCH.rglob("__init__.py") if path.stat().st_size == 0]
        self.assertEqual([], mute)
