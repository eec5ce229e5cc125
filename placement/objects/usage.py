"""Usages: sums of what consumers have taken.

Source: doc/reference/api/usages.rst.
"""

import collections

from placement import constants
from placement.db import usages as db_usages
from placement.db.consumers import shown_type
from placement.objects import resource_provider

CONSUMER_COUNT = "consumer_count"


def of_provider(conn, provider_uuid):
    """Return the generation of a provider, and a ClassUsage for each of its inventories.

    Raises: ResourceProviderNotFound.
    """
    return resource_provider.get_using(conn, db_usages.of_provider, provider_uuid)


def of_project(conn, project_id, user_id=None):
    """Return {class_name: used} for all consumers of a project, or of a user in it."""
    used = collections.Counter()
    for usage in db_usages.of_project(conn, project_id, user_id):
        # A row without a class has the number of consumers.
        if usage.class_name is not None:
            used[usage.class_name] += usage.used
    return dict(used)


def of_project_by_type(conn, project_id, user_id=None, consumer_type=None):
    """Return {type: {class_name: used, "consumer_count": n}}.

    Consumers without a type are under "unknown". `consumer_type` chooses one group; "all"
    makes one group of all consumers. Groups without consumers are left out.
    Cost: one query.
    """
    groups = collections.defaultdict(collections.Counter)
    for usage in db_usages.of_project(conn, project_id, user_id):
        used_by = shown_type(usage.consumer_type)
        # A row without a class has the number of consumers.
        groups[used_by][usage.class_name or CONSUMER_COUNT] += usage.used
    if consumer_type == constants.ALL_CONSUMER_TYPES:
        total = sum(groups.values(), collections.Counter())
        return {constants.ALL_CONSUMER_TYPES: dict(total)} if total else {}
    return {
        type_name: dict(used)
        for type_name, used in groups.items()
        if consumer_type in (None, type_name)
    }
