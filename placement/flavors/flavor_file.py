"""A file of flavors, one on each line or as the openstack command prints them -> Flavors."""

import collections
import re
import shlex
from typing import NamedTuple

from placement.conf import bounded_file
from placement.flavors import nova
from placement.queries import query_string

# The largest file, in bytes, and the most flavors in it: no cloud has more.
MOST_BYTES = 8 * 1024 * 1024
MOST_FLAVORS = 10_000

# {option of `openstack flavor create`: field of Sizes}.
_SIZES = {f"--{name}": name for name in nova.Sizes._fields}
# {field of Sizes: column of `openstack flavor list --long`}.
_COLUMNS = {
    "vcpus": "VCPUs",
    "ram": "RAM",
    "disk": "Disk",
    "ephemeral": "Ephemeral",
    "swap": "Swap",
}
# This matches an extra spec, such as resources:VCPU=1, but no parameter, such as resources=VCPU:1.
_SPEC = re.compile(r"[\w.-]+:[^=]*=.*|group_policy=.*")
# How older clients print properties: resources:VCPU='1', trait:CUSTOM_A='required'.
_PROPERTY = re.compile(r"([^\s=,]+)='([^']*)'")


class UnreadableFlavors(ValueError):
    """The file does not give usable flavors; the message is a sentence without a newline."""


class Flavor(NamedTuple):
    """What instances of a flavor ask for.

    is_public  None if the file does not say
    ignored    extra specs that the query does not cover
    """

    name: str
    query: str
    is_public: bool | None = None
    ignored: tuple[str, ...] = ()


def load(path):
    """Return the Flavors of a file. Raises: UnreadableFlavors."""
    try:
        content = bounded_file.read(path, MOST_BYTES)
        return parse(content.decode("utf-8-sig"), path)
    except bounded_file.UnreadableFile as error:
        raise UnreadableFlavors(str(error)) from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFlavors(f"{path}, line {line}: it is not UTF-8.") from error


def parse(text, path):
    """Return the Flavors in the string `text`, in its order; `path` is for messages.

    Raises: UnreadableFlavors.
    """
    flavors = _of_json(text, path) if text.lstrip().startswith("[") else _of_lines(text, path)
    if not flavors or len(flavors) > MOST_FLAVORS:
        raise UnreadableFlavors(
            f"{path} has {len(flavors):,} flavors, not 1 to {MOST_FLAVORS:,}."
        )
    [(name, times)] = collections.Counter(flavor.name for flavor in flavors).most_common(1)
    if times > 1:
        raise UnreadableFlavors(f"{path} has several flavors named {name}.")
    return flavors


def after(name, flavors):
    """Return the Flavors after the one with this name; all of them if none has this name."""
    names = [each.name for each in flavors]
    return flavors[names.index(name) + 1 :] if name in names else flavors


def _of_json(text, path):
    """Return the Flavors in a JSON document. Raises: UnreadableFlavors."""
    try:
        return [_of_row(row) for row in bounded_file.parsed(text, path)]
    except bounded_file.UnreadableFile as error:
        raise UnreadableFlavors(str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableFlavors(
            f"{path} is not what 'openstack flavor list --long -f json' prints."
        ) from error


def _of_row(row):
    """Return the Flavor that one object in the document describes."""
    sizes = nova.Sizes(**{field: int(row.get(name) or 0) for field, name in _COLUMNS.items()})
    given = row["Properties"] or {}
    # Older clients print a string.
    specs = dict(_PROPERTY.findall(given)) if isinstance(given, str) else given
    specs = {key: str(value) for key, value in specs.items()}
    asked = nova.request(sizes, specs)
    return Flavor(str(row["Name"]), asked.query, row.get("Is Public"), tuple(asked.ignored))


def _of_lines(text, path):
    """Return the Flavors in a string that has one on each line. Raises: UnreadableFlavors."""
    lines = enumerate(text.splitlines(), start=1)
    stripped = ((number, line.strip()) for number, line in lines)
    return [
        _of_line(line, f"{path}, line {number}")
        for number, line in stripped
        if line and not line.startswith("#")
    ]


def _of_line(line, place):
    """Return the Flavor of a line: a name, then either a query, amounts, or sizes and extra specs.

    place: the file and the number of the line, for messages
    Raises: UnreadableFlavors.
    """
    try:
        name, *words = shlex.split(line)
    except ValueError as error:
        raise UnreadableFlavors(f"{place}: {error}.") from error
    if words and not words[0].startswith("--") and not _SPEC.fullmatch(words[0]):
        if len(words) > 1:
            raise UnreadableFlavors(
                f"{place} has more than a name and a query: amounts are separated by commas, as in "
                "VCPU:2,MEMORY_MB:512."
            )
        return Flavor(name, query_string.interpret(words[0]))
    asked = nova.request(*_sizes_and_specs(words, place))
    return Flavor(name, asked.query, ignored=tuple(asked.ignored))


def _sizes_and_specs(words, place):
    """Return the Sizes and {extra spec: value} of a line. Raises: UnreadableFlavors."""
    sizes, specs = {}, {}
    remaining = iter(words)
    for word in remaining:
        option, equals, value = word.partition("=")
        if option in _SIZES or option == "--property":
            value = value if equals else next(remaining, "")
        if option in _SIZES:
            if not nova.NUMBER.fullmatch(value):
                raise UnreadableFlavors(f"{place}: {option} needs a number.")
            sizes[_SIZES[option]] = int(value)
            continue
        key, equals, text = (value if option == "--property" else word).partition("=")
        if not equals:
            raise UnreadableFlavors(
                f"{place}: {word!r} is neither a size ({', '.join(_SIZES)}) nor an extra spec "
                "(KEY=VALUE)."
            )
        specs[key] = text
    return nova.Sizes(**sizes), specs
