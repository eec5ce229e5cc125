"""python -m tests.deployed.faults [SUBJECT...]: the stories of some subjects, or of all.

With "short", it runs one short story for each kind of fault. If a database server that some stories
need is missing, a skipped test says so.
"""

import sys

from tests import side_by_side

SUBJECTS = (
    "service",
    "database_server",
    "statements",
    "galera_cluster",
    "patroni_cluster",
    "clock",
    "full_disk",
    "lax_settings",
)
SHORT = (
    "service.ServiceFaultsOnMysql.test_all_processes_are_killed_and_started_again",
    "service.ServiceFaultsOnPostgresql.test_a_worker_is_paused",
    "database_server.OnMariaDB.test_the_database_is_killed_and_started_again",
    "statements.StatementFaultsOnMysql.test_statements_are_ended_by_an_administrator",
    "statements.StatementFaultsOnPostgresql.test_connections_are_cut_at_random_messages",
    "galera_cluster.Cluster.test_a_node_is_cut_off",
    "patroni_cluster.Cluster.test_another_node_becomes_the_primary_as_planned",
    "clock.ClockFaultsOnPostgresql",
    "full_disk.OnSQLite",
)
# Without a database server, its stories do not exist, and nobody would notice.
_REACHABLE = "tests.functional.outages.test_reachable"


def main(names):
    """Return whether a story failed."""
    chosen = SHORT if names == ["short"] else names or SUBJECTS
    return side_by_side.main([*(f"tests.deployed.faults.{name}" for name in chosen), _REACHABLE])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
