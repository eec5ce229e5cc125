"""How full the demo cloud was in the last month, hour by hour, as CSV for placement-manage.

Only a server's own machine can give it a past: there is no request for that. Instances have come
one after the other; every night, some of those of the day are away. Two hosts are new.
"""

import csv
import datetime
import math
import random

from demo import cloud, past

COLUMNS = ("At", "Class", "Used", "Capacity", "Largest free", "Full", "Providers", "Hosts")
DAYS = 31
NEW_HOSTS = ("c5", "c6")
NEW_HOSTS_DAYS = 12
# How many of the instances were there a month ago.
_AT_FIRST = 0.55
# How many of an hour's instances come and go with the working day.
_OF_THE_DAY = 0.08


def write(file, now):
    """Write the samples up to `now`, a datetime in UTC; the last is the cloud as it is loaded."""
    lines = csv.writer(file)
    lines.writerow(COLUMNS)
    instances = cloud.instances()
    random.Random(31).shuffle(instances)
    inventories = _inventories()
    *_, memory_lost_at = past.night_times(now)
    for age in range(DAYS * 24, -1, -1):
        at = now - datetime.timedelta(hours=age)
        is_new = age >= NEW_HOSTS_DAYS * 24
        offered = {
            key: capacity
            for key, capacity in inventories.items()
            if not (is_new and key[0] in NEW_HOSTS)
        }
        if at < memory_lost_at:
            offered[cloud.FAILED_NODE, "MEMORY_MB"] += cloud.MEMORY_MB - cloud.LEFT_MEMORY_MB
        used = _used(instances[: _number(at, age, len(instances))], offered)
        hosts = len(cloud.roots()) - (len(NEW_HOSTS) if is_new else 0)
        for row in _sums(offered, used):
            lines.writerow([at.isoformat(), *row, hosts])


def _inventories():
    """Return {(provider, class): capacity}."""
    found = {}
    waiting = list(cloud.roots())
    while waiting:
        provider = waiting.pop()
        waiting += provider.children
        for class_name, each in provider.inventories.items():
            ratio = each.get("allocation_ratio", 1.0)
            capacity = int((each["total"] - each.get("reserved", 0)) * ratio)
            found[provider.name, class_name] = capacity
    return found


def _number(at, age, most):
    """Return how many instances there were, `age` hours ago."""
    if age == 0:
        return most
    grown = _AT_FIRST + (1 - _AT_FIRST) * (1 - age / (DAYS * 24))
    # Fewest at four in the morning, and at weekends.
    daily = (1 + math.cos((at.hour - 16) / 12 * math.pi)) / 2
    of_the_day = _OF_THE_DAY * daily * (0.3 if at.weekday() >= 5 else 1)
    return min(most, round(most * (grown - _OF_THE_DAY + of_the_day)))


def _used(instances, offered):
    """Return {(provider, class): amount} of the instances whose providers are there."""
    used = dict.fromkeys(offered, 0)
    for instance in instances:
        taken = {
            (name, class_name): amount
            for name, resources in instance.allocations.items()
            for class_name, amount in resources.items()
        }
        if taken.keys() <= used.keys():
            for key, amount in taken.items():
                used[key] += amount
    return used


def _sums(offered, used):
    """Yield (class, used, capacity, largest free, full, providers) for each class."""
    for class_name in sorted({class_name for _, class_name in offered}):
        keys = [key for key in offered if key[1] == class_name]
        free = [offered[key] - used[key] for key in keys]
        yield (
            class_name,
            sum(used[key] for key in keys),
            sum(offered[key] for key in keys),
            max(free),
            free.count(0),
            len(keys),
        )
