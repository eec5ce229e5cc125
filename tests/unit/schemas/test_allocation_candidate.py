from placement.schemas import allocation_candidate
from tests.unit.schemas.base import SchemaTestCase


class QueryWithoutGroupsTest(SchemaTestCase):
    def test_each_parameter_of_candidates_is_accepted_since_its_version(self):
        values = {"limit": "1", "required": "CUSTOM_GOLD", "member_of": "x"}
        for parameter, value in values.items():
            query = {"resources": "VCPU:1", parameter: value}
            flags = dict.fromkeys(values, False)
            self.assert_complaints(
                allocation_candidate.list_query(**flags),
                [(query, f"Additional properties are not allowed ('{parameter}' was unexpected)")],
            )
            self.assert_complaints(
                allocation_candidate.list_query(**flags | {parameter: True}), [(query, None)]
            )

    def test_resources_are_required_and_have_no_suffix_before_1_25(self):
        self.assert_complaints(
            allocation_candidate.list_query(limit=True, required=True, member_of=True),
            [
                ({}, "'resources' is a required property"),
                ({"resources1": "VCPU:1"}, "'resources' is a required property"),
                (
                    {"resources": "VCPU:1", "resources1": "VCPU:1"},
                    "Additional properties are not allowed ('resources1' was unexpected)",
                ),
            ],
        )


class QueryOfGroupsTest(SchemaTestCase):
    def query(self, of_groups=(), of_query=(), word_suffixes=False):
        return allocation_candidate.list_query_of_groups(
            of_groups=("resources", "required", "member_of", *of_groups),
            of_query=of_query,
            word_suffixes=word_suffixes,
        )

    def test_a_suffix_is_a_number_and_later_a_word(self):
        numbers = "'^member_of([1-9][0-9]*)?$', '^required([1-9][0-9]*)?$', "
        numbers += "'^resources([1-9][0-9]*)?$'"
        complaint = "does not match any of the regexes: " + numbers
        self.assert_complaints(
            self.query(),
            [
                ({}, None),
                ({"resources": "", "resources1": "", "required22": "", "member_of3": ""}, None),
                ({"resources_NET": ""}, f"'resources_NET' {complaint}"),
                (
                    {"resources01": ""},
                    f"'resources01' {complaint}",
                ),
            ],
        )
        self.assert_complaints(
            self.query(word_suffixes=True),
            [
                ({"resources_NET": "", "resources01": "", "required-a": ""}, None),
                ({"resources" + "x" * 64: ""}, None),
                ({"resources" + "x" * 65: ""}, f"'resources{'x' * 65}' does not match any of the"),
            ],
        )

    def test_a_suffix_does_not_end_in_a_newline(self):
        for flags in ({}, {"word_suffixes": True}):
            self.assert_complaints(
                self.query(["in_tree"], **flags),
                [
                    ({f"{name}\n": "x"}, f"'{name}\\n' is not a 'single-line'")
                    for name in ("resources", "resources1", "required", "member_of", "in_tree")
                ],
            )

    def test_a_group_accepts_only_the_parameters_of_its_version(self):
        self.assert_complaints(
            self.query(), [({"in_tree1": "x"}, "'in_tree1' does not match any of the regexes")]
        )
        trees = {"in_tree": "x", "in_tree1": "x"}
        self.assert_complaints(self.query(["in_tree"]), [(trees, None)])

    def test_the_whole_query_accepts_only_the_parameters_of_its_version(self):
        for parameter in ("root_required", "same_subtree"):
            complaint = f"'{parameter}' does not match any of the regexes"
            self.assert_complaints(self.query(), [({parameter: ""}, complaint)])
            self.assert_complaints(self.query(of_query=(parameter,)), [({parameter: ""}, None)])

    def test_a_limit_is_a_positive_number(self):
        self.assert_complaints(
            self.query(),
            [({"limit": each}, None) for each in ("1", "100", "9" * 30)]
            + [
                ({"limit": each}, f"{each!r} does not match '^[1-9][0-9]*$'")
                for each in ("", "0", "01", "-1", "x", "1.0")
            ]
            + [({"limit": "1\n"}, r"'1\n' is not a 'single-line'")],
        )

    def test_group_policy_is_isolate_or_none(self):
        self.assert_complaints(
            self.query(),
            [
                ({"group_policy": "none"}, None),
                ({"group_policy": "isolate"}, None),
                ({"group_policy": "None"}, "'None' is not one of ['none', 'isolate']"),
                ({"group_policy": ""}, "'' is not one of ['none', 'isolate']"),
            ],
        )
