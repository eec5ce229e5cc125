"""Trees of providers that several writers change at the same time."""

import contextlib
import itertools
import uuid

from placement import exception
from placement.db import engine
from placement.db import resource_providers as db_providers
from placement.db import trees as db_trees
from placement.objects import resource_provider
from tests import databases
from tests.functional import invariants
from tests.functional.interleaving import Meanwhile
from tests.functional.worlds import provider, set_aggregates


@databases.on_each_database
class Trees:
    """If a test fails, providers are searched in trees to which they do not belong."""

    def setUp(self):
        super().setUp()
        self.plant()

    def plant(self):
        """Create three trees, q with s, r with l, and z alone, and forget the previous ones."""
        self.providers = {}
        for name, parent in (("q", None), ("s", "q"), ("r", None), ("l", "r"), ("z", None)):
            with self.database.writer() as conn:
                self.providers[name] = provider(
                    conn, f"{name}-{uuid.uuid4()}", parent=self.providers.get(parent)
                )

    def move(self, name, parent):
        """Return a writer that moves a provider, or finds that it cannot."""

        def write():
            with self.database.writer() as conn:
                moved = resource_provider.get(conn, self.providers[name].uuid)
                parent_uuid = self.providers[parent].uuid if parent else None
                resource_provider.update(conn, moved, name=moved.name, parent_uuid=parent_uuid)

        return self.patiently(write)

    def add(self, parent):
        def write():
            with self.database.writer() as conn:
                provider(conn, f"child-{uuid.uuid4()}", parent=self.providers[parent])

        return self.patiently(write)

    def remove(self, name):
        def write():
            with self.database.writer() as conn:
                resource_provider.delete(conn, self.providers[name].uuid)

        return self.patiently(write)

    def patiently(self, write):
        write = engine.retry_on_conflict(write, 10)

        def patient():
            with contextlib.suppress(
                exception.InvalidProviderTree,
                exception.CannotDeleteParent,
                exception.ResourceProviderNotFound,
            ):
                write()

        return patient

    def check_invariants(self):
        with self.database.reader() as conn:
            self.assertEqual([], invariants.violations(conn))

    def test_roots_are_correct_whichever_writer_intervenes(self):
        writers = {
            "add below l": self.add("l"),
            "s to l": self.move("s", "l"),
            "r to z": self.move("r", "z"),
            "z to l": self.move("z", "l"),
            "l out": self.move("l", None),
            "remove l": self.remove("l"),
        }
        for (first, one), (second, other) in itertools.permutations(writers.items(), 2):
            for step in ("find", "lock"):
                with Meanwhile(db_trees, step, other):
                    one()
                with self.subTest(first=first, step=step, second=second):
                    self.check_invariants()
                self.plant()

    def test_a_provider_deleted_during_the_request_is_not_found(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")

        def move():
            with self.database.writer() as conn:
                found = resource_provider.get(conn, self.providers["s"].uuid)
                resource_provider.update(conn, found, name=found.name, parent_uuid=None)

        def join_aggregate():
            with self.database.writer() as conn:
                found = resource_provider.get(conn, self.providers["z"].uuid)
                set_aggregates(conn, found, [str(uuid.uuid4())], advance_generation=False)

        for name, write in (("s", move), ("z", join_aggregate)):
            with Meanwhile(db_providers, "find", self.remove(name), patience=None):
                self.assertRaises(
                    exception.ResourceProviderNotFound, engine.retry_on_conflict(write, 10)
                )
