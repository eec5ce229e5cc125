"""placement-manage: what an operator does to the database, and asks about the API.

Source: doc/reference/placement-manage.rst.
"""

import contextlib
import json
import sys

from oslo_config import cfg

from placement import conf, distribution, microversion
from placement.cmd import audit, capacity, db, explain, fit, mistakes, providers

_ASKING = {audit.COMMAND, capacity.COMMAND, explain.COMMAND, fit.COMMAND, providers.COMMAND}


def main(arguments=None):
    """Run the command in `arguments` (those of the process by default).

    Returns the exit status. Raises: SystemExit for --help, --version, usage errors and mistakes.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    configuration = conf.registered()
    configuration.register_cli_opt(
        cfg.SubCommandOpt("category", title="commands", handler=_add_categories)
    )
    if not arguments:
        with contextlib.suppress(SystemExit):
            _parse(configuration, ["--help"])
        return 1
    with (
        mistakes.warnings_printed_by("placement-manage"),
        mistakes.reported_by("placement-manage", _status_of_mistakes(arguments)),
    ):
        distribution.check_alone()
        try:
            _parse(configuration, arguments)
        except cfg.RequiredOptError:
            if configuration.category.needs_database:
                raise
        return configuration.category.run(configuration)


def _status_of_mistakes(arguments):
    """To those who ask something, 1 may be an answer: the ledger is not right, nothing fits."""
    return mistakes.MISTAKEN if _ASKING.intersection(arguments) else 1


def _parse(configuration, arguments):
    configuration(
        arguments,
        project="placement",
        prog="placement-manage",
        version=distribution.version(),
    )


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
        help=f"from 1.0 to {microversion.VERSIONS[-1]}, or latest, which is the default",
    )
    api.set_defaults(run=print_openapi, needs_database=False)


def print_openapi(configuration):
    """Print the OpenAPI document of a version, as JSON."""
    # It knows all of the service, which the other commands need not load.
    from placement import openapi
    from placement.middleware import negotiation

    asked = f"{negotiation.SERVICE_TYPE} {configuration.category.microversion}"
    print(json.dumps(openapi.document(negotiation.negotiated(asked)), indent=2))


if __name__ == "__main__":
    sys.exit(main())
