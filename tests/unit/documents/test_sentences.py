"""Changes in words. If a test fails, an operator reads about a change that was not made."""

import datetime

import testtools

from placement.db.feed.reading import ProviderPlace, StoredChange
from placement.documents import sentences

A7, B2, B2_NUMA, DISK = "host-a7", "host-b2", "host-b2-numa", "shared-disk"
PLACES = {
    A7: ProviderPlace("a7", A7, "a7"),
    B2: ProviderPlace("b2", B2, "b2"),
    B2_NUMA: ProviderPlace("b2-numa1", B2, "b2"),
    DISK: ProviderPlace("disk", DISK, "disk"),
}
MEMORY = {
    "total": 1024,
    "reserved": 0,
    "min_unit": 1,
    "max_unit": 1024,
    "step_size": 1,
    "allocation_ratio": 1.0,
    "capacity": 1024,
}


def held(allocations, **owner):
    return {
        "allocations": {uuid: {"resources": amounts} for uuid, amounts in allocations.items()},
        "project_id": "lab",
        "user_id": "maria",
        "consumer_type": "INSTANCE",
        **owner,
    }


def pieces(kind, before, after, uuid="vm", name=None, operation="PUT /"):
    moment = datetime.datetime(2026, 1, 5)
    change = StoredChange(
        1, moment, "req-1", "maria", "ops", operation, kind, uuid, name, {}, before, after
    )
    return sentences.of(change, PLACES)


class SentenceTestCase(testtools.TestCase):
    def assert_says(self, sentence, *change, **subject):
        found = pieces(*change, **subject)
        self.assertEqual(sentence, "".join(piece.text for piece in found))
        for piece in found:
            self.assertEqual(piece.kind is None, piece.id is None, piece)


class Consumers(SentenceTestCase):
    def assert_moved(self, sentence, before, after):
        self.assert_says(sentence, "allocations", held(before), held(after))

    def test_an_instance_comes_and_goes(self):
        state = held({B2_NUMA: {"VCPU": 4}, B2: {"DISK_GB": 40}})
        took = "instance vm of project lab {} b2: VCPU 4, DISK_GB 40"
        self.assert_says(f"placed {took.format('on')}", "allocations", None, state)
        self.assert_says(f"removed {took.format('from')}", "allocations", state, None)

    def test_a_move_names_both_hosts_but_not_what_both_share(self):
        self.assert_moved(
            "moved instance vm of project lab from b2 to a7: VCPU 4, DISK_GB 40",
            {B2_NUMA: {"VCPU": 4}, DISK: {"DISK_GB": 40}},
            {A7: {"VCPU": 4}, DISK: {"DISK_GB": 40}},
        )

    def test_a_move_within_a_host_names_the_providers(self):
        self.assert_moved(
            "moved instance vm of project lab from b2-numa1 to b2: VCPU 4",
            {B2_NUMA: {"VCPU": 4}},
            {B2: {"VCPU": 4}},
        )

    def test_while_an_instance_moves_it_may_be_on_both_hosts(self):
        one, both = {B2: {"VCPU": 4}}, {B2: {"VCPU": 4}, A7: {"VCPU": 4}}
        subject = "instance vm of project lab"
        self.assert_moved(f"extended {subject} to a7: VCPU 8", one, both)
        self.assert_moved(f"removed {subject} from a7: VCPU 4", both, one)

    def test_a_resize_says_what_the_size_was(self):
        self.assert_moved(
            "changed instance vm of project lab on b2: VCPU from 2 to 4, PGPU from 0 to 1",
            {B2: {"VCPU": 2, "DISK_GB": 1}},
            {B2: {"VCPU": 4, "DISK_GB": 1, "PGPU": 1}},
        )
        self.assert_moved(
            "changed instance vm of project lab on b2: DISK_GB from 1 to 0",
            {B2: {"VCPU": 2, "DISK_GB": 1}},
            {B2: {"VCPU": 2}},
        )

    def test_a_new_owner_is_reported(self):
        holds = {B2: {"VCPU": 2}}
        self.assert_says(
            "changed consumer vm of project web on b2: project from lab to web, user from maria to"
            " nina, type from INSTANCE to None",
            "allocations",
            held(holds),
            held(holds, project_id="web", user_id="nina", consumer_type=None),
        )

    def test_another_program_may_have_removed_a_consumer_whose_state_is_unknown(self):
        self.assert_says("removed consumer vm", "allocations", None, None, operation=None)

    def test_a_new_generation_alone_is_not_reported_as_a_change(self):
        holds = {B2: {"VCPU": 2}, B2_NUMA: {"VCPU": 1}}
        subject = "instance vm of project lab on b2"
        self.assert_moved(f"rewrote, unchanged, {subject}", holds, holds)
        other = {B2: {"VCPU": 1}, B2_NUMA: {"VCPU": 2}}
        self.assert_moved(f"rearranged {subject}", holds, other)

    def test_a_host_whose_name_is_lost_is_named_by_its_uuid(self):
        gone = "allocations", None, held({"gone": {"VCPU": 1}})
        self.assert_says("placed instance vm of project lab on gone: VCPU 1", *gone)

    def test_names_and_amounts_in_a_sentence_can_be_linked(self):
        found = pieces("allocations", None, held({B2_NUMA: {"VCPU": 4}}))
        named = [(piece.text, piece.kind, piece.id) for piece in found if piece.kind]
        self.assertEqual(
            [
                ("vm", "consumer", "vm"),
                ("lab", "project", "lab"),
                ("b2", "host", B2),
                ("4", "amount", "VCPU"),
            ],
            named,
        )


class Providers(SentenceTestCase):
    def assert_says_of_b2(self, sentence, *change):
        self.assert_says(sentence, *change, uuid=B2, name="b2")

    def test_a_provider_is_created_and_deleted(self):
        state = {"name": "b2-numa1", "parent_provider_uuid": B2, "root_provider_uuid": B2}
        subject = {"uuid": B2_NUMA, "name": "b2-numa1"}
        self.assert_says("created b2-numa1 below b2", "provider", None, state, **subject)
        self.assert_says("deleted b2-numa1 below b2", "provider", state, None, **subject)

    def test_a_provider_that_another_program_has_written_may_have_existed_before(self):
        state = {"name": "b2-numa1", "parent_provider_uuid": B2, "root_provider_uuid": B2}
        subject = {"uuid": B2_NUMA, "name": "b2-numa1", "operation": None}
        self.assert_says("wrote b2-numa1 below b2", "provider", None, state, **subject)
        self.assert_says("wrote b2-numa1", "provider", state, state, **subject)
        self.assert_says("deleted b2-numa1", "provider", None, None, **subject)

    def test_a_provider_has_the_name_that_it_had_then(self):
        disabled = "COMPUTE_STATUS_DISABLED"
        for sentence, kind, after in (
            ("deleted old", "provider", None),
            ("changed the inventory of old: added PGPU 1024", "inventories", {"PGPU": MEMORY}),
            ("changed the traits of old: added A", "traits", ["A"]),
            (f"disabled old: added {disabled}", "traits", [disabled]),
            ("changed the aggregates of old: added rack", "aggregates", ["rack"]),
        ):
            self.assert_says(sentence, kind, None, after, uuid=B2, name="old")

    def test_only_hosts_are_linked_as_hosts(self):
        """A provider that is not known any more counts as a host."""
        for uuid, kind in ((B2, "host"), (B2_NUMA, "provider"), ("gone", "host")):
            found = pieces("traits", [], [], uuid=uuid)
            self.assertEqual((kind, uuid), found[-1][1:])

    def test_a_provider_is_renamed_and_moved(self):
        old = {"name": "old", "parent_provider_uuid": None, "root_provider_uuid": B2}
        new = old | {"name": "b2"}
        self.assert_says_of_b2("renamed old to b2", "provider", old, new)
        moved = new | {"parent_provider_uuid": B2_NUMA, "root_provider_uuid": A7}
        self.assert_says_of_b2("moved b2 to the tree of a7", "provider", new, moved)
        below = moved | {"parent_provider_uuid": DISK}
        self.assert_says_of_b2("moved b2 below disk", "provider", moved, below)

    def test_an_inventory_says_only_what_differs(self):
        smaller = MEMORY | {"total": 512, "max_unit": 512, "capacity": 512}
        cpus = MEMORY | {"allocation_ratio": 4.0}
        self.assert_says_of_b2(
            "changed the inventory of b2: MEMORY_MB total from 1024 to 512, VCPU allocation_ratio"
            " from 1.0 to 4.0, removed DISK_GB 1024, added PGPU 1024",
            "inventories",
            {"MEMORY_MB": MEMORY, "VCPU": MEMORY, "DISK_GB": MEMORY},
            {"MEMORY_MB": smaller, "VCPU": cpus, "PGPU": MEMORY},
        )

    def test_an_inventory_says_how_each_of_its_values_differs(self):
        for name, old in (("reserved", 0), ("min_unit", 1), ("step_size", 1)):
            self.assert_says_of_b2(
                f"changed the inventory of b2: MEMORY_MB {name} from {old} to 8",
                *("inventories", {"MEMORY_MB": MEMORY}, {"MEMORY_MB": MEMORY | {name: 8}}),
            )

    def test_a_maximum_is_mentioned_unless_it_is_the_total(self):
        limited = MEMORY | {"max_unit": 8}
        self.assert_says_of_b2(
            "changed the inventory of b2: MEMORY_MB max_unit from 1024 to 8",
            *("inventories", {"MEMORY_MB": MEMORY}, {"MEMORY_MB": limited}),
        )

    def test_an_inventory_that_was_written_again_says_so(self):
        state = {"MEMORY_MB": MEMORY}
        says = "rewrote, unchanged, the inventory of b2"
        self.assert_says_of_b2(says, "inventories", state, state)

    def test_traits_and_aggregates_come_and_go(self):
        self.assert_says_of_b2(
            "changed the traits of b2: added B and C, removed A", "traits", ["A"], ["B", "C"]
        )
        self.assert_says_of_b2(
            "changed the traits of b2: added A, B and C", "traits", [], ["A", "B", "C"]
        )
        self.assert_says_of_b2(
            "changed the aggregates of b2: added rack", "aggregates", [], ["rack"]
        )

    def test_the_first_and_the_last_traits_and_aggregates_have_sentences(self):
        """A change by another program is also the first one, if the earlier state is unknown."""
        for kind in ("traits", "aggregates"):
            for nothing in ([], None):
                what = f"changed the {kind} of b2:"
                self.assert_says_of_b2(f"{what} added a", kind, nothing, ["a"])
                self.assert_says_of_b2(f"{what} removed a", kind, ["a"], nothing)
                says = f"rewrote, unchanged, the {kind} of b2"
                self.assert_says_of_b2(says, kind, nothing, nothing)

    def test_the_first_and_the_last_inventory_have_sentences(self):
        for nothing in ({}, None):
            state, what = {"MEMORY_MB": MEMORY}, "changed the inventory of b2:"
            self.assert_says_of_b2(f"{what} added MEMORY_MB 1024", "inventories", nothing, state)
            self.assert_says_of_b2(f"{what} removed MEMORY_MB 1024", "inventories", state, nothing)

    def test_a_host_is_disabled_and_enabled(self):
        disabled = ["A", "COMPUTE_STATUS_DISABLED"]
        words = "COMPUTE_STATUS_DISABLED"
        self.assert_says_of_b2(f"disabled b2: added {words}", "traits", ["A"], disabled)
        self.assert_says_of_b2(f"enabled b2: removed {words}", "traits", disabled, ["A"])


class Names(SentenceTestCase):
    def test_a_class_is_created_renamed_and_deleted(self):
        old, new = {"name": "CUSTOM_A"}, {"name": "CUSTOM_B"}
        says = "created resource class CUSTOM_A"
        self.assert_says(says, "resource_class", None, old, uuid=None, name="CUSTOM_A")
        says = "renamed resource class CUSTOM_A to CUSTOM_B"
        self.assert_says(says, "resource_class", old, new, uuid=None, name="CUSTOM_B")
        says = "deleted resource class CUSTOM_B"
        self.assert_says(says, "resource_class", new, None, uuid=None, name="CUSTOM_B")

    def test_a_trait_is_created(self):
        says = "created trait CUSTOM_A"
        self.assert_says(says, "trait", None, {"name": "CUSTOM_A"}, uuid=None, name="CUSTOM_A")
