"""placement-manage: changes to the database, and questions about the cloud and the API.

Source: doc/reference/placement-manage.rst.
"""

import argparse
import contextlib
import json
import sys

from oslo_config import cfg

from placement import conf, distribution, microversion
from placement.cmd import (
    audit,
    capacity,
    command_line,
    completion,
    db,
    manage_status,
    mistakes,
)
from placement.cmd.planning import evacuate, release, survive
from placement.cmd.questions import explain, find, fit, flavors, history, providers
from placement.conf import opts
from placement.db.feed import author

_PROGRAM = "placement-manage"
# The commands that answer a question. Some of them may answer with status 1, so mistakes get 2.
_ASKING = {
    each.COMMAND
    for each in (
        audit,
        capacity,
        evacuate,
        explain,
        find,
        fit,
        flavors,
        history,
        manage_status,
        providers,
        release,
        survive,
    )
}


def main(arguments=None):
    """Run the command in `arguments`, by default those of the process.

    Returns the exit status. Raises: SystemExit for the --help of a command, --version, usage errors
    and mistakes.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    configuration = conf.registered()
    configuration.register_cli_opt(
        cfg.SubCommandOpt("category", title="commands", handler=_add_categories)
    )
    help_parser = _help_parser()
    words = command_line.from_command(arguments)
    before = arguments[: len(arguments) - len(words)]
    options = set(before)
    if "--help-all" in options:
        # This is argparse's own help, most of which is about the options that oslo.log adds to
        # every program.
        with contextlib.suppress(SystemExit):
            _parse(configuration, ["--help"])
        return 0
    if not arguments or options & {"-h", "--help"}:
        help_parser.print_help()
        return 0 if arguments else 1
    if shell := completion.requested_shell(_PROGRAM, before):
        print(completion.script(help_parser, shell), end="")
        return 0
    complaint = command_line.complaint(help_parser, arguments)
    if complaint is not None and "--version" not in options:
        print(f"{_PROGRAM}: {complaint}", file=sys.stderr)
        return mistakes.MISTAKEN
    with (
        mistakes.warnings_printed_by(_PROGRAM),
        mistakes.reported_by(_PROGRAM, _status_of_mistakes(words)),
    ):
        distribution.check_alone()
        try:
            _parse(configuration, arguments)
        except cfg.RequiredOptError:
            # Only commands that use the database need the option that names it.
            if configuration.category.needs_database:
                raise
        conf.check_log(configuration)
        with author.acting(_author(configuration, words[0])):
            return configuration.category.run(configuration)


def _author(configuration, command):
    """Return the Author to record for a command's changes; None if no history is kept."""
    is_kept = opts.keeps_changes(configuration)
    return author.Author(f"{_PROGRAM} {command}") if is_kept else None


def _status_of_mistakes(words):
    """Return the exit status for mistakes: not 1 if 1 may be the command's answer.

    Only the first of `words` decides: `db release` is not the command `release`.
    """
    return mistakes.MISTAKEN if _ASKING.intersection(words[:1]) else 1


def _parse(configuration, arguments):
    """Read the arguments and the configuration files that they name."""
    with conf.reading():
        configuration(
            arguments,
            project="placement",
            prog=_PROGRAM,
            version=distribution.version(),
        )


def _help_parser():
    """Return the parser that prints what --help shows.

    It has a line for each command, and only those options that have an effect.
    """
    parser = argparse.ArgumentParser(
        prog=_PROGRAM,
        usage=f"{_PROGRAM} [OPTIONS] COMMAND [ARGUMENTS]",
        description="Manage the database of Placement, and answer questions about the cloud.",
        epilog=f"'{_PROGRAM} COMMAND --help' shows the arguments of a command; "
        f"'man {_PROGRAM}' explains them all.",
    )
    several = {"metavar": "PATH", "help": "read the configuration from PATH; may be repeated"}
    parser.add_argument("--config-file", **several)
    parser.add_argument("--config-dir", **several)
    # This is needed only once, and the manual page explains it.
    parser.add_argument(
        command_line.SHELL_COMPLETION, choices=completion.SHELLS, help=argparse.SUPPRESS
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--help-all", action="store_true", help="also show the other options")
    commands = parser.add_subparsers(title="commands", metavar="", prog=_PROGRAM)
    _add_categories(commands)
    return parser


def _add_categories(subparsers):
    db.add_commands(subparsers)
    manage_status.add_command(subparsers)
    audit.add_command(subparsers)
    explain.add_command(subparsers)
    fit.add_command(subparsers)
    evacuate.add_command(subparsers)
    survive.add_command(subparsers)
    release.add_command(subparsers)
    capacity.add_command(subparsers)
    providers.add_command(subparsers)
    find.add_command(subparsers)
    flavors.add_command(subparsers)
    history.add_command(subparsers)
    api = command_line.add(
        subparsers,
        "openapi",
        "Print the OpenAPI document of the API.",
        print_openapi,
        needs_database=False,
    )
    api.add_argument(
        "--microversion",
        choices=[*microversion.VERSIONS, microversion.LATEST],
        default=microversion.LATEST,
        metavar="VERSION",
        help=f"from {microversion.VERSIONS[0]} to {microversion.VERSIONS[-1]}, or latest (the "
        "default)",
    )


def print_openapi(configuration):
    """Print the OpenAPI document of a version, as JSON."""
    # This import loads the whole service, which the other commands do not need.
    from placement import openapi

    version = microversion.parsed(configuration.category.microversion)
    print(json.dumps(openapi.document(version), indent=2))


if __name__ == "__main__":
    sys.exit(main())
