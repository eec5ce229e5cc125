"""Ordinary clouds, of some dozen to a thousand hosts, and queries and claims of many shapes;
pure.

Every host has most traits and is in a few aggregates, a quarter of them have a card as a child, and
flavors, images and availability zones make nearly every query different.
"""

import random
import uuid

from bench.clouds.cloud import Inventory, Provider

TRAITS, TRAITS_PER_HOST = 40, 30
AGGREGATES, AGGREGATES_PER_HOST = 12, 3
SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE"
CARD_CLASS = "SRIOV_NET_VF"
DISK = "disk"
LIMIT = 1000
MOST_CONSUMERS, MOST_HOSTS = 6, 20
_WILD_CLASSES = ("VCPU", "MEMORY_MB", "DISK_GB", CARD_CLASS)


class OrdinaryCloud:
    """Providers, and any number of queries and claims; two clouds of the same size are equal.

    `traits` are the names of as many traits as TRAITS says, all of which the servers know. With
    `shares_disk`, hosts have no disks of their own, and share one through their aggregates.
    """

    def __init__(self, hosts, traits, shares_disk=False):
        self._random = random.Random(hosts)
        self._traits = traits[:TRAITS]
        self._shares_disk = shares_disk
        self.aggregates = [self._uuid() for _ in range(AGGREGATES)]
        self.providers = []
        for number in range(hosts):
            self._add_host(f"host-{number:06}", has_card=number % 4 == 0)
        if shares_disk:
            self._add(
                DISK,
                {"DISK_GB": Inventory(1_000_000)},
                traits=(SHARING_TRAIT,),
                aggregates=tuple(self.aggregates),
            )

    def nova_queries(self, count):
        """Return paths of queries like those of nova-scheduler."""
        return [f"/allocation_candidates?{self._nova_query()}" for _ in range(count)]

    def wild_queries(self, count):
        """Return paths of queries with up to six groups, each with its own filters."""
        return [f"/allocation_candidates?{self._wild_query()}" for _ in range(count)]

    def claims(self, count):
        """Return documents for POST /allocations of new consumers, with up to 20 hosts each."""
        return [
            {self._uuid(): self._claim() for _ in range(self._random.randint(1, MOST_CONSUMERS))}
            for _ in range(count)
        ]

    def _add_host(self, name, has_card):
        inventories = {"VCPU": Inventory(64, 16.0), "MEMORY_MB": Inventory(512 * 1024)}
        if not self._shares_disk:
            inventories["DISK_GB"] = Inventory(20_480)
        traits = tuple(self._random.sample(self._traits, TRAITS_PER_HOST))
        aggregates = tuple(self._random.sample(self.aggregates, AGGREGATES_PER_HOST))
        self._add(name, inventories, traits=traits, aggregates=aggregates)
        if has_card:
            cards = {CARD_CLASS: Inventory(16)}
            self._add(f"{name}-card", cards, parent=name, traits=traits[:3])

    def _add(self, name, inventories, parent=None, traits=(), aggregates=()):
        self.providers.append(
            Provider(name, self._uuid(), parent, parent or name, inventories, traits, aggregates)
        )

    def _nova_query(self):
        choose = self._random
        parts = [
            f"resources=VCPU:{choose.randint(1, 16)},MEMORY_MB:{1024 * choose.randint(1, 32)}"
            f",DISK_GB:{choose.randint(1, 200)}"
        ]
        if traits := [self._maybe_forbidden(each) for each in self._some(self._traits, 5)]:
            parts.append(f"required={','.join(traits)}")
        parts += [self._member_of("", 4) for _ in range(choose.randint(0, 2))]
        if choose.random() < 0.4:
            groups = choose.randint(1, 2)
            parts += [f"resources_card{number}={CARD_CLASS}:1" for number in range(groups)]
            parts.append("group_policy=none")
        return "&".join([*parts, f"limit={LIMIT}"])

    def _wild_query(self):
        choose = self._random
        parts = []
        for number in range(1, choose.randint(1, 6) + 1):
            parts.append(f"resources{number}={choose.choice(_WILD_CLASSES)}:{choose.randint(1, 4)}")
            if traits := self._some(self._traits[:8], 3):
                parts.append(f"required{number}={','.join(traits)}")
            parts += [self._member_of(number, 2, 5) for _ in range(choose.randint(0, 2))]
        return "&".join([*parts, "group_policy=none", f"limit={LIMIT}"])

    def _claim(self):
        choose = self._random
        hosts = [each for each in self.providers if each.parent is None and each.name != DISK]
        chosen = choose.sample(hosts, choose.randint(1, min(MOST_HOSTS, len(hosts))))
        return {
            "allocations": {host.uuid: {"resources": self._amounts(host)} for host in chosen},
            "project_id": f"project-{choose.randint(1, 5)}",
            "user_id": f"user-{choose.randint(1, 9)}",
            "consumer_generation": None,
            "consumer_type": "INSTANCE",
        }

    def _amounts(self, host):
        classes = sorted(host.inventories)
        return dict.fromkeys(self._random.sample(classes, self._random.randint(1, len(classes))), 1)

    def _member_of(self, suffix, most, out_of=AGGREGATES):
        aggregates = self._random.sample(self.aggregates[:out_of], self._random.randint(1, most))
        return f"member_of{suffix}=in:{','.join(aggregates)}"

    def _maybe_forbidden(self, trait):
        return f"!{trait}" if self._random.random() < 0.15 else trait

    def _some(self, values, most):
        return self._random.sample(values, self._random.randint(0, most))

    def _uuid(self):
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


def of_operators(paths, operation):
    """Return paths of an operation below /operator with the same queries, but without `limit`."""
    return [
        path.replace("/allocation_candidates?", f"/operator/{operation}?").removesuffix(
            f"&limit={LIMIT}"
        )
        for path in paths
    ]
