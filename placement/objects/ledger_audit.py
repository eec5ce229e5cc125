"""Whether the ledger is correct: the checks, their findings and the repairs.

Source: doc/how-to/audit.rst.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

from placement import constants
from placement.db import trees as db_trees
from placement.db.derived_sums import recount
from placement.db.records import last_audit
from placement.db.reports import ledger_checks, missing_changes, nova_facts
from placement.db.subjects_of_names import Subject
from placement.objects import repairs, tree_faults


class Check(NamedTuple):
    """A check of the ledger, which finds either faults, or facts that are not faults.

    question  names what the check looks for
    repair    takes a Database and the owner for unrecorded consumers, and returns how many rows it
              repaired; None if an operator must decide
    meaning   says what the facts tell an operator; None if the findings are faults
    """

    name: str
    question: str
    repair: Callable | None = None
    meaning: str | None = None

    @property
    def is_fault(self):
        return self.meaning is None


class Finding(NamedTuple):
    """What a check found: how many items, and the first of them, as {name: string or integer}."""

    check: Check
    count: int
    examples: list[dict]


def _is_used_wrong(wrong):
    """Return whether a Wrong inventory, from recount.find_wrong, has a wrong `used`."""
    return wrong.used != wrong.allocated


def _is_capacity_wrong(wrong):
    """Return whether a Wrong inventory, from recount.find_wrong, has a wrong `capacity`."""
    return wrong.capacity != wrong.derived_capacity


_UNUSED = "They do no harm; the next consumer or member uses them again."

CHECKS = (
    Check(
        "used_is_sum",
        "Inventories whose used amount is not the sum of their allocations",
        lambda database, owner: repairs.recount_providers(database, _is_used_wrong),
    ),
    Check(
        "capacity_is_derived",
        "Inventories whose capacity is not (total - reserved) * allocation_ratio",
        lambda database, owner: repairs.recount_providers(database, _is_capacity_wrong),
    ),
    Check(
        "capacity_exceeded",
        "Overcommitted inventories",
        meaning="The used amount exceeds the capacity, because the total or the allocation_ratio "
        "was lowered, or more was reserved. Nothing more can be claimed there until enough is "
        "released.",
    ),
    Check(
        "units_violated",
        "Allocations that violate the current min_unit, max_unit or step_size",
        meaning="The units were changed later. The allocations stay, but another claim of that "
        "amount would be refused.",
    ),
    Check(
        "allocation_without_consumer",
        "Allocations whose consumer is not recorded",
        repairs.record_consumers,
    ),
    Check(
        "allocation_without_inventory",
        "Allocations of a class that their provider has no inventory of",
    ),
    Check(
        "inventory_without_class",
        "Inventories of a class that does not exist",
        lambda database, owner: repairs.remove_inventories_without_class(database),
    ),
    Check(
        "consumer_without_allocations",
        "Consumers that have had no allocations for an hour",
        lambda database, owner: repairs.remove_empty_consumers(database),
    ),
    Check(
        "root_is_wrong",
        "Providers recorded in a different tree from their parent",
        lambda database, owner: repairs.correct_roots(database),
    ),
    Check("parent_missing", "Providers whose parent does not exist"),
    Check("tree_has_cycle", "Providers that are their own ancestor"),
    Check(
        "instance_in_two_trees",
        "Instances that use several hosts, not counting sharing providers",
        meaning="A move is under way, or an evacuation has left allocations on the old host, which "
        "nova removes when the host is back. If that was long ago, compare with 'openstack server "
        "show', and remove what the instance does not use: 'openstack server migration list' and "
        "'nova-manage placement audit' help.",
    ),
    Check(
        "device_to_clean",
        "One-time-use devices that wait for cleaning",
        meaning="They have the trait HW_PCI_ONE_TIME_USE, and their last user is gone. Nobody can "
        "use them until they are cleaned and reserved is set to 0.",
    ),
    Check("unused_projects", "Projects without consumers", meaning=_UNUSED),
    Check("unused_users", "Users without consumers", meaning=_UNUSED),
    Check("unused_consumer_types", "Consumer types without consumers", meaning=_UNUSED),
    Check("unused_aggregates", "Aggregates without members", meaning=_UNUSED),
    Check(
        "duplicate_names",
        "Names of one kind that differ only in case",
        meaning="MySQL and MariaDB treat them as equal: this database cannot be moved there.",
    ),
    Check(
        "unknown_standard_traits",
        "Traits that are neither custom nor in this service's os-traits",
        meaning="A service with a newer os-traits has served this database.",
    ),
    Check(
        "changes_complete",
        "Providers and consumers whose last write is not in the history",
        meaning="They were written by a server with history_days = 0, or by an older release of "
        "this service. Programs that follow the changes have to list them again.",
    ),
)

# A function that returns the LastAudit, or None if no audit was recorded.
find_last = last_audit.find

REPAIRABLE = tuple(check.name for check in CHECKS if check.repair)


def audit(conn, tell=lambda step: None):
    """Return a Finding for each of CHECKS, in their order.

    `tell` is called with a sentence before each step.
    Cost: some 25 queries; some of them read all inventories, allocations or consumers.
    """
    counted_by_name = {}
    for number, (name, count) in enumerate(_COUNTERS.items(), start=1):
        tell(f"Checking {name}, {number} of {len(_COUNTERS)}")
        counted = count(conn)
        # Checks that are made together are counted as {name: Counted}.
        is_one = isinstance(counted, ledger_checks.Counted)
        counted_by_name |= {name: counted} if is_one else counted
    # A Counted has the count and the examples.
    return [Finding(check, *counted_by_name[check.name]) for check in CHECKS]


def count_fact(conn, name):
    """Return the count of one check, which must be made alone, as instance_in_two_trees is."""
    return _COUNTERS[name](conn).count


def is_sound(findings):
    """Whether the Findings are free of faults."""
    return not any(finding.count for finding in findings if finding.check.is_fault)


def repair(database, names, owner, tell=lambda step: None):
    """Repair what the checks with these names, all in REPAIRABLE, find. Return {name: row count}.

    `owner` is the pair of project and user that will own consumers without a record.
    """
    repaired = {}
    for check in CHECKS:
        if check.name in names:
            tell(f"Repairing {check.name}")
            repaired[check.name] = check.repair(database, owner)
    return repaired


def _check_sums(conn):
    """Return {name of a check: Counted} for the checks of sums, which are made together."""
    all_wrong = recount.find_wrong(conn)
    wrong_by_check = {
        "used_is_sum": [each for each in all_wrong if _is_used_wrong(each)],
        "capacity_is_derived": [each for each in all_wrong if _is_capacity_wrong(each)],
    }
    examples_by_check = {
        check: wrong[: constants.MOST_EXAMPLES] for check, wrong in wrong_by_check.items()
    }
    names_by_id = ledger_checks.inventory_names(
        conn, {each.inventory_id for wrong in examples_by_check.values() for each in wrong}
    )
    return {
        check: ledger_checks.Counted(
            len(wrong),
            [
                names_by_id[example.inventory_id] | _numbers(check, example)
                for example in examples_by_check[check]
            ],
        )
        for check, wrong in wrong_by_check.items()
    }


def _numbers(check_name, wrong):
    """Return the recorded value of an inventory, and the correct one."""
    if check_name == "used_is_sum":
        return {"used": wrong.used, "allocated": wrong.allocated}
    return {"capacity": wrong.capacity, "derived_capacity": wrong.derived_capacity}


def _check_trees(conn):
    """Return {name of a check: Counted} for the checks of trees, which are made together."""
    members = db_trees.members_of_trees(conn)
    faults = tree_faults.find(members)
    ids_by_check = {
        "root_is_wrong": sorted(faults.wrong_roots),
        "parent_missing": sorted(faults.parent_missing),
        "tree_has_cycle": sorted(faults.cycles),
    }
    shown = {check: ids[: constants.MOST_EXAMPLES] for check, ids in ids_by_check.items()}
    names_by_id = ledger_checks.provider_names(conn, set().union(*shown.values()))
    return {
        check: ledger_checks.Counted(len(ids), [names_by_id[key] for key in shown[check]])
        for check, ids in ids_by_check.items()
    }


# How each check is made. Checks that are made together are under the first of their names, and
# their function returns {name: Counted}.
_COUNTERS = {
    "used_is_sum": _check_sums,
    "root_is_wrong": _check_trees,
    "capacity_exceeded": ledger_checks.capacity_exceeded,
    "units_violated": ledger_checks.units_violated,
    "allocation_without_consumer": ledger_checks.allocation_without_consumer,
    "allocation_without_inventory": ledger_checks.allocation_without_inventory,
    "inventory_without_class": ledger_checks.inventory_without_class,
    "consumer_without_allocations": lambda conn: ledger_checks.consumer_without_allocations(
        conn, repairs.empty_before()
    ),
    "instance_in_two_trees": nova_facts.instance_in_two_trees,
    "device_to_clean": nova_facts.device_to_clean,
    "unused_projects": functools.partial(ledger_checks.unused, subject=Subject.PROJECTS),
    "unused_users": functools.partial(ledger_checks.unused, subject=Subject.USERS),
    "unused_consumer_types": functools.partial(
        ledger_checks.unused, subject=Subject.CONSUMER_TYPES
    ),
    "unused_aggregates": functools.partial(ledger_checks.unused, subject=Subject.AGGREGATES),
    "duplicate_names": ledger_checks.duplicate_names,
    "unknown_standard_traits": ledger_checks.unknown_standard_traits,
    "changes_complete": missing_changes.find,
}
