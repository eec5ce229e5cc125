"""placement-status: whether this deployment is ready for the newest release.

Source: doc/reference/placement-status.rst.
"""

import argparse
import sys

from oslo_upgradecheck import common_checks, upgradecheck

from placement import conf, distribution
from placement.cmd import command_line, completion, mistakes
from placement.db.derived_sums import recount
from placement.db.schema import data_migrations, revisions
from placement.db.schema.errors import CannotMigrate, NotMigrated
from placement.policies.files import PolicyFiles, Unreadable

_PROGRAM = "placement-status"
# The exit status when there is no result; lower ones are for results.
UNKNOWN = 255


class Checks(upgradecheck.UpgradeCommands):
    """The checks; the worst of their results becomes the exit status of the command."""

    def __init__(self, configuration):
        self._configuration = configuration
        # The Database, once check() has connected to it.
        self._database = None

    def check(self):
        """Print the results, and return the worst of them. Raises: SystemExit for mistakes."""
        # The caller prints a traceback for any exception but SystemExit.
        with mistakes.reported_by(_PROGRAM, UNKNOWN):
            conf.check_log(self._configuration)
            self._database = mistakes.connect_to_tables(self._configuration)
        return super().check()

    def _missing_root_ids(self):
        with self._database.reader() as conn:
            count = data_migrations.count_providers_without_root(conn)
        if count == 0:
            return upgradecheck.Result(upgradecheck.Code.SUCCESS)
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            f"{count} resource providers have no root, so no query finds them. Run "
            "'placement-manage db online_data_migrations'.",
        )

    def _incomplete_consumers(self):
        with self._database.reader() as conn:
            count = data_migrations.count_consumers_without_record(conn)
        if count == 0:
            return upgradecheck.Result(upgradecheck.Code.SUCCESS)
        return upgradecheck.Result(
            upgradecheck.Code.WARNING,
            f"{count} consumers have allocations but no record. Run 'placement-manage db "
            "online_data_migrations'.",
        )

    def _derived_sums(self):
        try:
            revisions.check(self._database)
        except (NotMigrated, CannotMigrate):
            # _revision reports this.
            return upgradecheck.Result(
                upgradecheck.Code.SUCCESS, "'placement-manage db sync' will compute them."
            )
        with self._database.reader() as conn:
            count = len(recount.find_wrong(conn))
        if count == 0:
            return upgradecheck.Result(upgradecheck.Code.SUCCESS)
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            f"Inventories with a wrong capacity or used amount: {count}. Another program has "
            "written to the database. Run 'placement-manage db sync'.",
        )

    def _policy_file(self):
        try:
            PolicyFiles(self._configuration).load()
        except Unreadable as error:
            return upgradecheck.Result(upgradecheck.Code.FAILURE, str(error))
        return common_checks.check_policy_json(self, self._configuration)

    def _revision(self):
        try:
            revisions.check(self._database)
        except (NotMigrated, CannotMigrate) as error:
            return upgradecheck.Result(upgradecheck.Code.FAILURE, str(error))
        return upgradecheck.Result(upgradecheck.Code.SUCCESS)

    _upgrade_checks = (
        ("Missing Root Provider IDs", _missing_root_ids),
        ("Incomplete Consumers", _incomplete_consumers),
        ("Capacity And Use Of Inventories", _derived_sums),
        ("Policy File JSON to YAML Migration", _policy_file),
        ("Database Revision", _revision),
    )


def main(arguments=None):
    """Run the checks, print their results as a table, and return the exit status.

    Raises: SystemExit for --help, usage errors and mistakes.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if shell := completion.requested_shell(_PROGRAM, arguments):
        print(completion.script(_parser(), shell), end="")
        return 0
    if {"-h", "--help"}.intersection(arguments):
        # oslo.upgradecheck's own help is mostly about the options of oslo.log.
        _parser().parse_known_args(arguments)
    # oslo.upgradecheck accepts any word in place of "check".
    complaint = command_line.complaint(_parser(), arguments)
    if complaint is not None:
        print(f"{_PROGRAM}: {complaint}", file=sys.stderr)
        return mistakes.MISTAKEN
    configuration = conf.registered()
    with mistakes.warnings_printed_by(_PROGRAM), mistakes.reported_by(_PROGRAM, UNKNOWN):
        distribution.check_alone()
        with conf.reading():
            return upgradecheck.main(configuration, "placement", Checks(configuration), arguments)


def _parser():
    """Return a parser that knows the command; oslo.upgradecheck keeps its own parser private."""
    summary = "Check whether this deployment is ready for the newest release."
    parser = argparse.ArgumentParser(
        prog=_PROGRAM, usage=f"{_PROGRAM} [OPTIONS] upgrade check [--json]", description=summary
    )
    several = {"metavar": "PATH", "help": "read the configuration from PATH; may be repeated"}
    parser.add_argument("--config-file", **several)
    parser.add_argument("--config-dir", **several)
    parser.add_argument(
        command_line.SHELL_COMPLETION, choices=completion.SHELLS, help=argparse.SUPPRESS
    )
    commands = parser.add_subparsers(title="commands", metavar="", prog=_PROGRAM)
    upgrade = commands.add_parser("upgrade", help="Questions about an upgrade.")
    checks = upgrade.add_subparsers(title="commands", metavar="COMMAND")
    check = checks.add_parser("check", help=summary, description=summary)
    check.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
