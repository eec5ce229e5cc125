"""The program of doc/how-to/changes.rst, which follows the changes."""

import importlib.util
import pathlib

import placement

PATH = pathlib.Path(placement.__file__).parents[1] / "doc" / "how-to" / "follow_changes.py"


def module():
    spec = importlib.util.spec_from_file_location("follow_changes", PATH)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found
