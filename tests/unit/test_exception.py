"""The docstring of an error leads from its sentence to the module that decides it."""

import pathlib
import re

import testtools

from placement import exception

PACKAGE = pathlib.Path(exception.__file__).parent
MODULES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text()
    for path in PACKAGE.rglob("*.py")
    if path != PACKAGE / "exception.py"
}


def below(kind):
    for child in kind.__subclasses__():
        yield child
        yield from below(child)


def named_in(kind):
    """Return the modules that the docstring of a class names."""
    sentences = re.split(r"(?:Raised|made|Made) by", kind.__doc__, maxsplit=1)
    return set(re.findall(r"\S+\.py", sentences[-1]))


class Docstrings(testtools.TestCase):
    def test_each_names_the_modules_that_raise_its_class(self):
        kinds = [kind for kind in below(exception.PlacementException) if "sentence" in vars(kind)]
        # Whole packages raise this class, each with a sentence of its own.
        kinds.remove(exception.BadQuery)
        self.assertNotEqual([], kinds)
        for kind in kinds:
            raising = {
                name
                for name, text in MODULES.items()
                if f"raise exception.{kind.__name__}(" in text
            }
            self.assertLessEqual(raising, named_in(kind), kind)

    def test_each_module_that_is_named_knows_the_class(self):
        generic = {"objects/generational.py"}
        for kind in below(exception.PlacementException):
            for name in named_in(kind) - generic:
                self.assertRegex(MODULES[name], rf"\bexception\.{kind.__name__}\b", kind)
