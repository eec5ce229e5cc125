"""The places where a fault can be planted, and the faults."""

import ast
import difflib
import functools
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from tests.mutants import REPOSITORY, equivalent, operators, statements


class Mutant(NamedTuple):
    """One operator at one place."""

    path: str
    line: int
    column: int
    operator: str
    occurrence: int

    def text(self):
        """Return the module with the fault."""
        operator = operators.by_name()[self.operator]
        return mutate_code(source(self.path), operator, self.occurrence)

    def change(self):
        """Return (lines before, lines after), each as one string without indentation."""
        before, after = source(self.path).splitlines(), self.text().splitlines()
        was, becomes = [], []
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for tag, start, end, new_start, new_end in matcher.get_opcodes():
            if tag != "equal":
                was += before[start:end]
                becomes += after[new_start:new_end]
        return equivalent.joined(was), equivalent.joined(becomes)

    def lines(self):
        """Return the lines of the changed statement, or of its head if it has a body."""
        return statements.lines(_tree(self.path), self.line)

    def runs_on_import(self):
        return statements.runs_on_import(_tree(self.path), self.line)


def modules(regex):
    """Return the paths of the modules of the service that a compiled regex finds, in order."""
    paths = (
        str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "placement").rglob("*.py")
    )
    return sorted(path for path in paths if regex.search(path))


def mutants(path, regex):
    """Return all Mutants of a module whose operators a compiled regex finds."""
    nodes = list(ast_nodes(get_ast(source(path))))
    found = []
    for name, operator in operators.by_name().items():
        if regex.search(name):
            positions = (start for node in nodes for start, _ in operator.mutation_positions(node))
            found += [Mutant(path, *start, name, count) for count, start in enumerate(positions)]
    return found


@functools.cache
def source(path):
    return (REPOSITORY / path).read_text()


@functools.cache
def _tree(path):
    return ast.parse(source(path))

