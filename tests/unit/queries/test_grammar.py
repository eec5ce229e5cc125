import unittest

from placement import exception
from placement.queries import grammar

A = "a1b2c3d4-0000-4000-8000-00000000000a"
B = "a1b2c3d4-0000-4000-8000-00000000000b"


class TestCase(unittest.TestCase):
    def assert_refused(self, sentence, function, *arguments, **flags):
        with self.assertRaises(exception.BadQuery) as caught:
            function(*arguments, **flags)
        self.assertIn(sentence, str(caught.exception))


class Resources(TestCase):
    def test_resources_are_parsed_as_classes_and_amounts(self):
        self.assertEqual(
            {"VCPU": 2, "MEMORY_MB": 1024}, grammar.resources("VCPU:2,MEMORY_MB:1024")
        )

    def test_the_last_amount_of_a_repeated_class_counts(self):
        self.assertEqual({"VCPU": 3}, grammar.resources("VCPU:2,VCPU:3"))

    def test_amounts_are_read_leniently_and_classes_literally(self):
        self.assertEqual({" VCPU": 2}, grammar.resources(" VCPU: +2 "))
        self.assertEqual({"VCPU": 10**4299}, grammar.resources("VCPU:1" + "0" * 4299))

    def test_malformed_resources_are_refused(self):
        for value, sentence in (
            ("", "Badly formed resources parameter."),
            ("", "Got: empty string."),
            (" ", "Got: empty string."),
            ("VCPU", "Got: VCPU."),
            ("VCPU:1:2", "Got: VCPU:1:2."),
            ("VCPU:1,", "Got: ."),
            ("VCPU:", "Requested resource VCPU expected positive integer amount. Got: ."),
            ("VCPU:one", "Requested resource VCPU expected positive integer amount. Got: one."),
            ("VCPU:1.5", "Requested resource VCPU expected positive integer amount. Got: 1.5."),
            ("VCPU:1_0", "expected positive integer amount. Got: 1_0."),
            ("VCPU:\u0661", "expected positive integer amount. Got: \u0661."),
            ("VCPU:1\n", "expected positive integer amount. Got: 1\n."),
            ("VCPU:\xa01", "expected positive integer amount. Got: \xa01."),
            ("VCPU:+ 1", "expected positive integer amount. Got: + 1."),
            ("VCPU:0", "Requested resource VCPU requires amount >= 1. Got: 0."),
            ("VCPU:-1", "Requested resource VCPU requires amount >= 1. Got: -1."),
            ("VCPU:" + "9" * 5000, "expected positive integer amount"),
        ):
            with self.subTest(value=value[:20]):
                self.assert_refused(sentence, grammar.resources, value)


class Required(TestCase):
    EVERYTHING = {"forbidden_traits": True, "any_traits": True}

    def test_every_name_in_required_is_required(self):
        self.assertEqual(
            ((frozenset({"T1"}), frozenset({"T2"})), frozenset()),
            grammar.required([" T1, T2 ,T1"], forbidden_traits=False, any_traits=False),
        )

    def test_an_exclamation_mark_forbids_however_often_it_is_written(self):
        self.assertEqual(
            ((frozenset({"T1"}),), frozenset({"T2", "T3"})),
            grammar.required(["!T2,T1,!!T3"], forbidden_traits=True, any_traits=False),
        )

    def test_required_with_in_requires_one_of_several_traits(self):
        self.assertEqual(
            ((frozenset({"T1", "T2"}), frozenset({"T3"})), frozenset({"T4"})),
            grammar.required(["in:T1, T2", "T3", "!T4"], **self.EVERYTHING),
        )

    def test_in_is_a_prefix_only_at_the_start_of_a_value(self):
        self.assertEqual(
            ((frozenset({"T1"}), frozenset({"in:T2"})), frozenset({"in:T3"})),
            grammar.required(["T1,in:T2,!in:T3"], **self.EVERYTHING),
        )

    def test_malformed_required_is_refused(self):
        plain = "of the form: HW_CPU_X86_VMX,CUSTOM_MAGIC. Got"
        forbidden = "of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC. Got"
        any_of = "of the form: in:HW_CPU_X86_VMX,CUSTOM_MAGIC. Got"
        for value, forbidden_traits, any_traits, sentence in (
            ("", False, False, f"{plain} an empty trait in: "),
            ("T1,", False, False, f"{plain} an empty trait in: T1,"),
            ("!T1", False, False, f"{plain}: !T1"),
            ("T1,!", True, False, f"{forbidden} an empty trait in: T1,!"),
            ("T1, ,T2", True, True, f"{forbidden} an empty trait in: T1, ,T2"),
            ("in:T1,", True, True, f"{any_of} an empty trait in: in:T1,"),
            ("in:", True, True, f"{any_of} an empty trait in: in:"),
            ("in:T1", True, False, "only supported since microversion 1.39. Got: in:T1"),
            ("in:T1,!T2", True, True, "does not support forbidden traits. Got: in:T1,!T2"),
        ):
            with self.subTest(value=value):
                self.assert_refused(
                    sentence,
                    grammar.required,
                    [value],
                    forbidden_traits=forbidden_traits,
                    any_traits=any_traits,
                )


class MemberOf(TestCase):
    EVERYTHING = {"repeated_member_of": True, "forbidden_aggregates": True}

    def test_member_of_is_parsed_as_one_aggregate_or_alternatives(self):
        self.assertEqual(
            ((frozenset({A}), frozenset({A, B})), frozenset()),
            grammar.member_of("member_of", [A, f"in:{A},{B}"], **self.EVERYTHING),
        )

    def test_forbidden_aggregates_are_united(self):
        self.assertEqual(
            ((), frozenset({A, B})),
            grammar.member_of("member_of", [f"!{A}", f"!in:{A},{B}"], **self.EVERYTHING),
        )

    def test_any_spelling_of_a_uuid_is_accepted_and_kept(self):
        dashless = A.replace("-", "").upper()
        self.assertEqual(
            ((frozenset({dashless, f"urn:uuid:{A}"}),), frozenset()),
            grammar.member_of(
                "member_of", [f"in:{dashless},urn:uuid:{A}"], **self.EVERYTHING
            ),
        )

    def test_malformed_member_of_is_refused(self):
        no_uuid = "Expected 'member_of' parameter to contain valid UUID(s). Got: "
        for values, sentence in (
            ([""], no_uuid),
            (["in:"], no_uuid),
            (["!"], no_uuid),
            (["x"], no_uuid + "x"),
            ([" " + A], no_uuid + " " + A),
            ([f"in:{A},"], no_uuid),
            ([f"!!{A}"], f"{no_uuid}!{A}"),
            ([f"in:!{A}"], f"{no_uuid}!{A}"),
            ([A, "x"], no_uuid + "x"),
            ([f"{A},{B}"], "Multiple values for 'member_of' must be prefixed with the 'in:'"),
            ([f"!{A},{B}"], f"or '!in:' keyword using the valid microversion. Got: !{A},{B}"),
        ):
            with self.subTest(values=values):
                self.assert_refused(
                    sentence, grammar.member_of, "member_of", values, **self.EVERYTHING
                )

    def test_malformed_member_of_names_its_key_in_older_versions(self):
        self.assert_refused(
            "Multiple member_of1 parameters are not supported",
            grammar.member_of,
            "member_of1",
            ["x", A],
            repeated_member_of=False,
            forbidden_aggregates=False,
        )
        self.assert_refused(
            "Forbidden member_of1 parameters are not supported in the specified microversion",
            grammar.member_of,
            "member_of1",
            [f"!{A}"],
            repeated_member_of=True,
            forbidden_aggregates=False,
        )


class InTree(TestCase):
    def test_in_tree_is_trimmed(self):
        self.assertEqual(A, grammar.in_tree(f" {A} "))

    def test_malformed_in_tree_is_refused(self):
        for value in ("", "x", f"{A},{B}"):
            with self.subTest(value=value):
                self.assert_refused(
                    f"Expected 'in_tree' parameter to be a format of uuid. Got: {value}",
                    grammar.in_tree,
                    value,
                )
