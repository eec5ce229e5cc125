"""-f, -c and --sort-column: print the rows of a command in the formats of the openstack command.

The formats are those of cliff, which is loaded only if rows are asked for.
Source: doc/reference/placement-manage.rst.
"""

import argparse
import importlib
import sys

from placement.cmd import mistakes

# The option, with its help text, of commands that can print more than rows.
JSON_OPTION = ("--json", "print everything as JSON, for programs")

# The options that ask for rows, in words.
ROWS = "-f, -c or --sort-column"

# {name of a format: (module of cliff.formatters, class)}.
FORMATTERS = {
    "csv": ("commaseparated", "CSVLister"),
    "json": ("json_format", "JSONFormatter"),
    "table": ("table", "TableFormatter"),
    "value": ("value", "ValueFormatter"),
    "yaml": ("yaml_format", "YAMLFormatter"),
}


def add_options(parser, names, *documents):
    """Add the options to the parser of a command that has columns with these names.

    `documents` are further options of this command that may not be combined with -f, each a
    pair of a name and a help text, such as JSON_OPTION for --json.
    """

    # A `type` for argparse: returns the name of a column, however it is typed.
    def column(text):
        for name in names:
            if _normalized(name) == _normalized(text):
                return name
        raise argparse.ArgumentTypeError(
            f"there is no column {text!r}; the columns are {', '.join(names)}"
        )

    group = parser.add_argument_group("output")
    forms = group.add_mutually_exclusive_group()
    for name, text in documents:
        forms.add_argument(name, action="store_true", help=text)
    forms.add_argument(
        "-f",
        "--format",
        dest="formatter",
        choices=FORMATTERS,
        help="print only the rows, as the openstack command does",
    )
    chosen = group.add_argument(
        "-c",
        "--column",
        dest="columns",
        type=column,
        action="append",
        default=[],
        metavar="COLUMN",
        help=f"print only this column: {', '.join(names)}; may be repeated",
    )
    sorted_by = group.add_argument(
        "--sort-column",
        dest="sort_columns",
        type=column,
        action="append",
        default=[],
        metavar="COLUMN",
        help="sort by this column; may be repeated",
    )
    # What a shell offers as completions: the names without spaces.
    chosen.completed = sorted_by.completed = [_normalized(name) for name in names]
    directions = group.add_mutually_exclusive_group()
    for direction in ("ascending", "descending"):
        directions.add_argument(
            f"--sort-{direction}",
            dest="is_descending",
            action="store_const",
            const=direction == "descending",
            help=f"sort in {direction} order",
        )


def is_wanted(options):
    """Return whether the caller asked for rows rather than readable text."""
    return bool(options.formatter or options.columns or options.sort_columns)


def refuse_top(options):
    """Raises: Mistake if --top, which limits no rows, is used with an option that asks for rows."""
    if options.top is not None:
        refuse_rows(options, "--top")


def refuse_rows(options, name):
    """Raises: Mistake if the option with this name is used with one that asks for rows."""
    if is_wanted(options):
        raise mistakes.Mistake(f"{name} cannot be used with {ROWS}.")


def write(options, names, rows):
    """Print rows, each of which has a value for each of the columns `names`."""
    chosen = [names.index(name) for name in options.columns]
    # Sorting is stable, so the column that was named first is used last.
    for column in map(names.index, reversed(options.sort_columns)):
        rows = sorted(
            rows,
            key=lambda row: (row[column] is None, row[column]),
            reverse=bool(options.is_descending),
        )
    # Like cliff, this keeps the columns in the order of the table.
    shown = [column for column in range(len(names)) if column in chosen or not chosen]
    formatter = _formatter(options.formatter or "table")
    formatter.emit_list(
        [names[column] for column in shown],
        ([row[column] for column in shown] for row in rows),
        sys.stdout,
        _defaults(formatter),
    )


def _normalized(name):
    """Return a column's name in lower case and without spaces, to compare it with what is typed."""
    return name.strip().lower().replace(" ", "_")


def _formatter(name):
    module, class_name = FORMATTERS[name]
    # Most calls ask for no rows, so they need not load cliff.
    from cliff import formatters

    return getattr(importlib.import_module(f"{formatters.__name__}.{module}"), class_name)()


def _defaults(formatter):
    """Return the defaults of the formatter's options, some of which come from the environment."""
    parser = argparse.ArgumentParser()
    formatter.add_argument_group(parser)
    return parser.parse_args([])
