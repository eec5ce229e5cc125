"""Which refusal a claim gets. Source: rules W3 and W4."""

import testtools

from placement import exception
from placement.db.allocations import AllocationRow
from placement.db.provider_room import Room
from placement.objects.claims import refusal

PROVIDERS = {"p": 1, "q": 2, "r": 3}
CLASSES = {"VCPU": 0, "DISK_GB": 2}
UUIDS_AND_NAMES = {key: (uuid, f"host-{uuid}") for uuid, key in PROVIDERS.items()}
CLASS_NAMES = {key: name for name, key in CLASSES.items()}


def room(capacity, used=0, min_unit=1, max_unit=100, step_size=1):
    return Room(capacity, used, min_unit, max_unit, step_size)


def row(consumer, provider, class_name, amount):
    return AllocationRow(consumer, PROVIDERS[provider], CLASSES[class_name], amount)


class TestCase(testtools.TestCase):
    def explain(self, wanted, rooms, held=()):
        """Look for a refusal: `rooms` is {"provider CLASS": Room}, the rest are rows."""
        rooms_by_id = {}
        for name, found in rooms.items():
            provider, class_name = name.split()
            rooms_by_id[PROVIDERS[provider], CLASSES[class_name]] = found
        refusal.explain(wanted, held, rooms_by_id, UUIDS_AND_NAMES, CLASS_NAMES)

    def assert_refused(self, error, sentence, *arguments, **options):
        refused = self.assertRaises(error, self.explain, *arguments, **options)
        self.assertIn(sentence, str(refused))


class OverTheCapacity(TestCase):
    """The example with k1 and k2: a host with ten processors in use, five of which break."""

    def write(self, present, wanted, capacity=5, **units):
        """Look for a refusal; both arguments are {consumer: amount}, 0 for one that is emptied."""
        held = [row(name, "p", "VCPU", present[name]) for name in wanted if name in present]
        rows = [row(name, "p", "VCPU", amount) for name, amount in wanted.items() if amount]
        rooms = {"p VCPU": room(capacity, used=sum(present.values()), **units)}
        self.explain(rows, rooms, held)

    def assert_accepted(self, *arguments, **options):
        """Check that nothing is raised."""
        self.write(*arguments, **options)

    def assert_too_much(self, *arguments, **options):
        self.assertRaises(exception.CapacityExceeded, self.write, *arguments, **options)

    def test_a_new_consumer_gets_nothing_over_the_capacity(self):
        self.assert_too_much({"k1": 6, "k2": 4}, {"k3": 1})

    def test_the_same_amount_again_is_not_refused(self):
        self.assert_accepted({"k1": 6, "k2": 4}, {"k1": 6})

    def test_growth_by_one_is_refused_over_the_capacity(self):
        self.assert_too_much({"k1": 6, "k2": 4}, {"k1": 7})

    def test_a_reduction_is_accepted_even_if_the_sum_stays_over_the_capacity(self):
        self.assert_accepted({"k1": 6, "k2": 4}, {"k1": 5})

    def test_an_amount_given_back_cannot_be_taken_again_over_the_capacity(self):
        self.assert_too_much({"k1": 5, "k2": 4}, {"k1": 6})

    def test_a_consumer_may_grow_if_another_shrinks_as_much(self):
        self.assert_accepted({"k1": 5, "k2": 4}, {"k1": 4, "k2": 5})

    def test_a_new_consumer_may_take_what_another_leaves(self):
        self.assert_accepted({"k1": 4, "k2": 5}, {"k1": 0, "k4": 4})

    def test_a_new_consumer_may_not_take_more_than_another_leaves(self):
        self.assert_too_much({"k1": 4, "k2": 5}, {"k1": 0, "k4": 5})

    def test_units_apply_to_an_amount_that_is_only_written_again(self):
        self.assertRaises(
            exception.UnitsViolated, self.write, {"k2": 8, "k4": 1}, {"k2": 8}, max_unit=2
        )
        self.assert_accepted({"k2": 8, "k4": 1}, {"k2": 2}, max_unit=2)

    def test_an_amount_may_shrink_even_without_capacity(self):
        self.assert_accepted({"k2": 2, "k4": 1}, {"k2": 1}, capacity=0)
        self.assert_too_much({"k2": 1, "k4": 1}, {"k5": 1}, capacity=0)


class FirstReason(TestCase):
    """Of several reasons, the first one in the order of the request counts."""

    def test_an_amount_that_fits_exactly_is_not_refused(self):
        self.explain([row("k", "p", "VCPU", 3)], {"p VCPU": room(10, used=7)})
        self.assert_refused(
            exception.CapacityExceeded,
            "'VCPU' on resource provider 'p'",
            [row("k", "p", "VCPU", 4)],
            {"p VCPU": room(10, used=7)},
        )

    def test_units_are_checked_for_each_allocation_and_not_the_sum(self):
        rooms = {"p VCPU": room(100, min_unit=4, max_unit=8, step_size=2)}
        for amount in (4, 6, 8):
            self.explain([row("k", "p", "VCPU", amount)], rooms)
        for amount in (2, 5, 10):
            self.assert_refused(
                exception.UnitsViolated,
                "'VCPU' on resource provider 'p'",
                [row("k1", "p", "VCPU", 4), row("k2", "p", "VCPU", amount)],
                rooms,
            )

    def test_units_are_reported_before_the_capacity(self):
        self.assertRaises(
            exception.UnitsViolated,
            self.explain,
            [row("k", "p", "VCPU", 9)],
            {"p VCPU": room(5, max_unit=8)},
        )

    def test_a_provider_without_any_of_the_classes_is_reported_first(self):
        self.assert_refused(
            exception.InventoryLacking,
            "'VCPU, DISK_GB' on resource provider 'q, r'",
            [
                row("k", "p", "VCPU", 99),
                row("k", "q", "DISK_GB", 1),
                row("k", "r", "VCPU", 1),
            ],
            {"p VCPU": room(1)},
        )

    def test_a_provider_with_one_of_the_classes_is_reported_in_order(self):
        rooms = {"p VCPU": room(1), "q VCPU": room(1)}
        lacking, too_much = row("k", "q", "DISK_GB", 1), row("k", "p", "VCPU", 2)
        self.assert_refused(
            exception.InventoryLacking,
            "'DISK_GB' on resource provider 'q'",
            [lacking, too_much],
            rooms,
        )
        self.assertRaises(exception.CapacityExceeded, self.explain, [too_much, lacking], rooms)

    def test_the_capacity_is_exceeded_by_the_consumer_that_passes_it(self):
        first, last = row("k1", "p", "VCPU", 3), row("k2", "p", "VCPU", 3)
        lacking = row("k3", "p", "DISK_GB", 1)
        rooms = {"p VCPU": room(5)}
        self.assertRaises(exception.InventoryLacking, self.explain, [first, lacking, last], rooms)
        self.assertRaises(exception.CapacityExceeded, self.explain, [first, last, lacking], rooms)

    def test_an_amount_held_on_another_provider_makes_no_room(self):
        self.assertRaises(
            exception.CapacityExceeded,
            self.explain,
            [row("k", "p", "VCPU", 1)],
            {"p VCPU": room(5, used=5)},
            held=[row("k", "q", "VCPU", 1), row("k", "p", "DISK_GB", 1)],
        )
