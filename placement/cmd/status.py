"""placement-status: is this deployment ready for the newest release?

Source: contract, "placement-status".
"""

import sys

from oslo_upgradecheck import common_checks, upgradecheck

from placement import conf
from placement.conf import opts
from placement.db import engine, leftovers


class Checks(upgradecheck.UpgradeCommands):
    """The checks; the worst of their results is the exit status of the command."""

    def __init__(self, configuration):
        self._configuration = configuration

    def _connection(self):
        database = engine.connect(
            self._configuration.placement_database.connection,
            **opts.engine_options(self._configuration),
        )
        return database.reader()

    def _missing_root_ids(self):
        with self._connection() as conn:
            count = leftovers.count_providers_without_root(conn)
        if count == 0:
            return upgradecheck.Result(upgradecheck.Code.SUCCESS)
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            f"{count} resource providers have no root. Run the online data migrations of the "
            "release that wrote them before this one is started.",
        )

    def _incomplete_consumers(self):
        with self._connection() as conn:
            count = leftovers.count_consumers_without_record(conn)
        if count == 0:
            return upgradecheck.Result(upgradecheck.Code.SUCCESS)
        return upgradecheck.Result(
            upgradecheck.Code.WARNING,
            f"{count} consumers have allocations and no record. Run the online data migrations "
            "of the release that wrote them before this one is started.",
        )

    def _policy_file(self):
        return common_checks.check_policy_json(self, self._configuration)

    _upgrade_checks = (
        ("Missing Root Provider IDs", _missing_root_ids),
        ("Incomplete Consumers", _incomplete_consumers),
        ("Policy File JSON to YAML Migration", _policy_file),
    )


def main(arguments=None):
    """Run the checks, print their results as a table, and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    configuration = conf.registered()
    return upgradecheck.main(configuration, "placement", Checks(configuration), arguments)


if __name__ == "__main__":
    sys.exit(main())
