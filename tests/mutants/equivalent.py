"""The mutants in equivalent.toml, which behave like the original, and why."""

import pathlib
import tomllib
from typing import NamedTuple

from tests.mutants import REPOSITORY

_FILE = pathlib.Path(__file__).with_name("equivalent.toml")


class Equivalent(NamedTuple):
    """A change of a module, from the lines `was` to `becomes`, and `why` it makes no difference."""

    path: str
    was: str
    becomes: str
    why: str

    @property
    def key(self):
        return key(self.path, self.was, self.becomes)

    def has_one_place(self):
        """Whether the module has the lines exactly once: only their text identifies them."""
        path = REPOSITORY / self.path
        return path.exists() and joined(path.read_text().splitlines()).count(self.was) == 1


def explained():
    """Return an Equivalent for each entry of the file."""
    modules = tomllib.loads(_FILE.read_text())
    return [
        Equivalent(path, entry["was"], becomes, entry["why"])
        for path, entries in modules.items()
        for entry in entries
        for becomes in entry["becomes"]
    ]


def joined(lines):
    """Return lines as one, without their indentation."""
    return " ".join(line.strip() for line in lines)


def key(path, was, becomes):
    """Return a text that is equal for changes that differ only in spaces: Cosmic Ray adds some."""
    return path, "".join(was.split()), "".join(becomes.split())
