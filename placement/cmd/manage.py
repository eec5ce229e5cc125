"""placement-manage: what operators do to the database, and ask about the cloud and the API.

Source: doc/reference/placement-manage.rst.
"""

import argparse
import contextlib
import itertools
import json
import sys

from oslo_config import cfg

from placement import conf, distribution, microversion
from placement.cmd import audit, capacity, db, explain, fit, mistakes, providers

_PROGRAM = "placement-manage"
_ASKING = {audit.COMMAND, capacity.COMMAND, explain.COMMAND, fit.COMMAND, providers.COMMAND}


def main(arguments=None):
    """Run the command in `arguments` (those of the process by default).

    Returns the exit status. Raises: SystemExit for the --help of a command, --version, usage errors
    and mistakes.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    configuration = conf.registered()
    configuration.register_cli_opt(
        cfg.SubCommandOpt("category", title="commands", handler=_add_categories)
    )
    help_parser, commands = _help_parser()
    options = set(itertools.takewhile(lambda each: each not in commands, arguments))
    if "--help-all" in options:
        # Most of its own help is about the options that oslo.log adds to every program.
        with contextlib.suppress(SystemExit):
            _parse(configuration, ["--help"])
        return 0
    if not arguments or options & {"-h", "--help"}:
        help_parser.print_help()
        return 0 if arguments else 1
    with (
        mistakes.warnings_printed_by(_PROGRAM),
        mistakes.reported_by(_PROGRAM, _status_of_mistakes(arguments)),
    ):
        distribution.check_alone()
        try:
            _parse(configuration, arguments)
        except cfg.RequiredOptError:
            if configuration.category.needs_database:
                raise
        conf.check_log(configuration)
        return configuration.category.run(configuration)


def _status_of_mistakes(arguments):
    """Return the exit status for mistakes, which is not 1 if that may be an answer."""
    return mistakes.MISTAKEN if _ASKING.intersection(arguments) else 1


def _parse(configuration, arguments):
    with conf.reading():
        configuration(
            arguments,
            project="placement",
            prog=_PROGRAM,
            version=distribution.version(),
        )


def _help_parser():
    """Return the parser that prints the help for people, and the names of the commands.

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
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--help-all", action="store_true", help="also show the other options")
    commands = parser.add_subparsers(title="commands", metavar="")
    _add_categories(commands)
    return parser, commands.choices


def _add_categories(subparsers):
    db.add_commands(subparsers)
    audit.add_command(subparsers)
    explain.add_command(subparsers)
    fit.add_command(subparsers)
    capacity.add_command(subparsers)
    providers.add_command(subparsers)
    api = subparsers.add_parser("openapi", help="Print the OpenAPI document of the API.")
    api.add_argument(
        "--microversion",
        choices=[*microversion.VERSIONS, "latest"],
        default="latest",
        metavar="VERSION",
        help=f"from 1.0 to {microversion.VERSIONS[-1]}, or latest (the default)",
    )
    api.set_defaults(run=print_openapi, needs_database=False)


def print_openapi(configuration):
    """Print the OpenAPI document of a version, as JSON."""
    # It loads the whole service, which the other commands do not need.
    from placement import openapi
    from placement.middleware import negotiation

    asked = f"{negotiation.SERVICE_TYPE} {configuration.category.microversion}"
    print(json.dumps(openapi.document(negotiation.negotiated(asked)), indent=2))


if __name__ == "__main__":
    sys.exit(main())
