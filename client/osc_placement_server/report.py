"""What the commands have in common: they show one answer of the service as rows.

Source: doc/how-to/openstack-command.rst.
"""

import abc
import argparse

from osc_lib import exceptions
from osc_lib.command import command

from osc_placement_server import host_names, service, text

# Formats that escape or omit unprintable characters themselves.
_SAFE_FORMATS = ("json", "yaml")


class Report(command.Lister):
    """Shows rows on standard output, and what they mean as sentences on standard error.

    So `-f json` and the other formats print nothing but rows. A command has a method `show_NAME`
    for each of its `views`. It takes the service's document and the options, and returns the names
    of the columns, and the rows.
    """

    # The path of the request, below the endpoint of the service.
    path = None
    # What --show can name; the first is the default.
    views = ()

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        # This keeps the line breaks of the description, which may contain an example.
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        default, *others = self.views
        if others:
            parser.add_argument(
                "--show",
                choices=self.views,
                default=default,
                help=f"What to show: {default} (the default), or {' or '.join(others)}.",
            )
        else:
            parser.set_defaults(show=default)
        self.add_arguments(parser)
        return parser

    def add_arguments(self, parser):
        """Add the options of the command."""

    @abc.abstractmethod
    def query(self, options):
        """Return the query to send, as (name, value) pairs. Raises: CommandError."""

    def ask(self, options):
        """Return the document of the service. Raises: CommandError, ClientException."""
        return service.get(self.app, self.path, self.query(options))

    def sentences(self, document):
        """Return sentences for people, in addition to the rows."""
        return []

    def is_well(self, document):
        """Return whether the answer is "yes". If it is "no", the exit status is 1."""
        return True

    def take_action(self, options):
        document = self.ask(options)
        for sentence in self.sentences(document):
            self.app.stderr.write(f"{text.printable(sentence)}\n")
        self._status = 0 if self.is_well(document) else 1
        return getattr(self, f"show_{options.show}")(document, options)

    def produce_output(self, options, column_names, rows):
        """Print the rows; in formats for people, without control characters."""
        is_for_people = options.formatter == "table" or self.app.stdout.isatty()
        if is_for_people and options.formatter not in _SAFE_FORMATS:
            rows = [[_printable(cell) for cell in row] for row in rows]
        return super().produce_output(options, column_names, rows)

    def run(self, options):
        return super().run(options) or self._status


def of_view(name, options, default, view):
    """Return the value of an option that only one view has. Raises: CommandError."""
    value = getattr(options, name)
    if value is None:
        return default
    if options.show != view:
        raise exceptions.CommandError(f"--{name} can only be used with --show {view}.")
    return value


def table(items, columns, **computed):
    """Return (columns, rows) for `items`, which are dicts.

    `computed` has a function for each column that is not a key of the dicts. It takes an item, and
    returns the cell.
    """
    rows = [
        [computed[name](item) if name in computed else item[name] for name in columns]
        for item in items
    ]
    return columns, rows


def _printable(cell):
    if isinstance(cell, host_names.Marked):
        return cell.printable()
    return text.printable(cell) if isinstance(cell, str) else cell
