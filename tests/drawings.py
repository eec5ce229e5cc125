"""Provider trees drawn as indented text: a line for each provider, below its parent.

    host {MEMORY_MB 8} <CUSTOM_FAST> [rack]
      numa0 {VCPU 6 max_unit 4}
    disk {DISK_GB 9} <SHARE> [rack]

Two spaces for each step down. Braces hold inventories: class, amount, and pairs of a word and a
number for fields that are not the default. `<...>` are the traits, where SHARE is the one that
makes a provider share, and `[...]` the aggregates. What the words mean is up to the reader of the
drawing: tests/trees.py, for tests without a database, or tests/stories.py.
"""

import re
import typing

SHARE = "SHARE"

_LINE = re.compile(r"((?:  )*)([\w-]+)(?: \{(.*?)\})?(?: <(.*?)>)?(?: \[(.*?)\])?")


class DrawnProvider(typing.NamedTuple):
    """One line. `inventories` is {class: (amount, {word: text of a number})}."""

    depth: int
    name: str
    inventories: dict
    traits: list
    aggregates: list


def read_provider(line):
    """Return the DrawnProvider of a line. Raises: ValueError if it is not one."""
    match = _LINE.fullmatch(line.rstrip())
    if not match:
        raise ValueError(f"This line draws no provider: {line}")
    indent, name, inventories, traits, aggregates = match.groups(default="")
    return DrawnProvider(
        len(indent) // 2,
        name,
        dict(map(_inventory, items(inventories))),
        items(traits),
        items(aggregates),
    )


def amounts(text):
    """Read `VCPU 1, MEMORY_MB 2` as {class: amount}."""
    return {class_name: int(amount) for class_name, amount in map(str.split, items(text))}


def items(text):
    """Read `a, b` as a list."""
    return [item.strip() for item in text.split(",") if item]


def _inventory(text):
    class_name, amount, *rest = text.split()
    return class_name, (int(amount), dict(zip(rest[::2], rest[1::2], strict=True)))
