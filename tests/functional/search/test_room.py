"""Whether an amount fits, as the search, its statements and claims decide it.

Source: doc/explanation/rules.rst, F2.
"""

import contextlib
from types import SimpleNamespace

import sqlalchemy as sa

from placement.db import tables, taking_capacity
from placement.db.search import who_meets
from placement.db.search.requirements import Amount
from tests import databases
from tests.functional.worlds import claim, provider, take

HOSTS = {
    "empty": {},
    "units": {"min_unit": 3, "max_unit": 6, "step_size": 3},
    "small": {"max_unit": 2},
    "steps": {"step_size": 4},
}


class Undone(Exception):
    """Ends a transaction whose writes must not stay."""


@databases.on_each_database
class Room:
    """If a test fails, a search proposes what a claim is refused, or leaves out what fits."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            hosts = [
                provider(conn, f"{used} of {name}", {"VCPU": 12}, **limits)
                for name, limits in HOSTS.items()
                for used in (0, 12)
            ]
            hosts.append(provider(conn, "half", {"VCPU": 12}))
            self.class_id = conn.scalar(
                sa.select(tables.resource_classes.c.id).where(
                    tables.resource_classes.c.name == "VCPU"
                )
            )
        amounts = {"half": 6, "12 of empty": 12, "12 of units": 6, "12 of small": 2}
        for host in hosts:
            amount = amounts.get(host.name, 4)
            if not host.name.startswith("0 of"):
                times = 1 if host.name == "half" else 12 // amount
                take(self.database, *(claim({host: {"VCPU": amount}}) for _ in range(times)))
        self.keys = [(host.id, self.class_id) for host in hosts]

    def can_take(self, provider_id, amount):
        """Return whether a claim of an amount would be accepted."""
        amounts = [amount] * len(taking_capacity.Change._fields[2:])
        with contextlib.suppress(Undone), self.database.writer() as conn:
            change = taking_capacity.Change(provider_id, self.class_id, *amounts)
            is_possible = taking_capacity.apply(conn, [change])
            raise Undone
        return is_possible

    def test_what_fits_is_decided_alike(self):
        with self.database.reader() as conn:
            rooms = {
                key[0]: room for key, room in taking_capacity.rooms(conn, self.keys).items()
            }
        cloud = SimpleNamespace(rooms=SimpleNamespace(by_class={self.class_id: rooms}))
        providers = tables.resource_providers
        for amount in range(1, 14):
            fitting = {key for key, room in rooms.items() if room.fits(amount)}
            large = {key for key, room in rooms.items() if room.headroom >= amount}
            self.assertEqual(fitting, {key for key in rooms if self.can_take(key, amount)}, amount)
            requirement = Amount(self.class_id, amount)
            meeting = sa.select(providers.c.id).where(who_meets.condition(requirement, providers))
            with self.database.reader() as conn:
                self.assertEqual(fitting, set(conn.scalars(meeting)), amount)
                self.assertEqual(large, set(conn.scalars(who_meets.select(requirement))), amount)
            self.assertEqual(large, who_meets.ids_in(cloud, requirement), amount)
