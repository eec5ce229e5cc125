"""placement-manage: what an operator does to the database, and asks about the API.

Source: doc/deployment.rst.
"""

import contextlib
import json
import sys

from oslo_config import cfg

from placement import conf, distribution, microversion
from placement.cmd import mistakes
from placement.db import schema


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
    with mistakes.told_by("placement-manage", exit_status=1):
        distribution.check_alone()
        try:
            _parse(configuration, arguments)
        except cfg.RequiredOptError:
            if configuration.category.needs_database:
                raise
        return configuration.category.run(configuration)


def _parse(configuration, arguments):
    configuration(
        arguments,
        project="placement",
        prog="placement-manage",
        version=distribution.version(),
    )


def _add_categories(subparsers):
    database = subparsers.add_parser("db", help="The tables of the database.")
    database.set_defaults(
        run=lambda configuration: database.print_help(), needs_database=True
    )
    commands = database.add_subparsers(title="commands")
    sync = commands.add_parser("sync", help="Bring the database to the newest revision.")
    sync.set_defaults(run=db_sync)
    version = commands.add_parser("version", help="Print the revision of the database.")
    version.set_defaults(run=db_version)
    api = subparsers.add_parser("openapi", help="Print the OpenAPI document of the API.")
    api.add_argument(
        "--microversion",
        choices=[*microversion.VERSIONS, "latest"],
        default="latest",
        metavar="VERSION",
        help=f"from 1.0 to {microversion.VERSIONS[-1]}, or latest, which is the default",
    )
    api.set_defaults(run=print_openapi, needs_database=False)


def db_sync(configuration):
    """Bring the database to the newest revision. Says nothing."""
    database = mistakes.connect(configuration)
    try:
        schema.upgrade(database)
    except schema.CannotMigrate as error:
        raise mistakes.Mistake(error) from error


def db_version(configuration):
    """Print the id of the database's revision, or None."""
    print(schema.version(mistakes.connect(configuration)))


def print_openapi(configuration):
    """Print the OpenAPI document of a version, as JSON."""
    # It knows all of the service, which the other commands need not load.
    from placement import openapi
    from placement.middleware import negotiation

    asked = f"{negotiation.SERVICE_TYPE} {configuration.category.microversion}"
    print(json.dumps(openapi.document(negotiation.negotiated(asked)), indent=2))


if __name__ == "__main__":
    sys.exit(main())
