"""Aggregates, traits, resource classes and usages: the smaller schemas."""

from placement.schemas import aggregate, resource_class, trait, usage
from tests.unit.schemas.base import OTHER, UUID, SchemaTestCase


class AggregateTest(SchemaTestCase):
    def test_at_first_aggregates_are_a_bare_list(self):
        self.assert_told(
            aggregate.replace(generation=False),
            [
                ([], None),
                ([UUID, OTHER], None),
                ([UUID, UUID.upper()], None),
                ([UUID, UUID], f"['{UUID}', '{UUID}'] has non-unique elements"),
                (["x"], "'x' is not a 'uuid'"),
                ([f"urn:uuid:{UUID}"], f"'urn:uuid:{UUID}' is too long"),
                ({"aggregates": []}, "{'aggregates': []} is not of type 'array'"),
            ],
        )

    def test_then_an_object_with_the_generation(self):
        whole = {"aggregates": [UUID], "resource_provider_generation": 1}
        self.assert_told(
            aggregate.replace(generation=True),
            [
                (whole, None),
                ([UUID], f"['{UUID}'] is not of type 'object'"),
                ({}, "'aggregates' is a required property"),
                ({"aggregates": []}, "'resource_provider_generation' is a required property"),
                (whole | {"x": 1}, "Additional properties are not allowed ('x' was unexpected)"),
            ],
        )


class TraitTest(SchemaTestCase):
    def test_any_names_are_taken_as_traits_to_be_looked_up(self):
        whole = {"traits": ["CUSTOM_GOLD", "no trait"], "resource_provider_generation": 1}
        self.assert_told(
            trait.replace(),
            [
                (whole, None),
                (whole | {"traits": []}, None),
                (whole | {"traits": ["CUSTOM_GOLD", "CUSTOM_GOLD"]}, None),
                (whole | {"traits": [""]}, "'' should be non-empty"),
                (whole | {"traits": ["T" * 256]}, f"'{'T' * 256}' is too long"),
                (whole | {"traits": "CUSTOM_GOLD"}, "'CUSTOM_GOLD' is not of type 'array'"),
                ({"traits": []}, "'resource_provider_generation' is a required property"),
            ],
        )

    def test_traits_are_listed_by_name_and_use(self):
        self.assert_told(
            trait.list_query(),
            [
                ({"name": "startswith:CUSTOM", "associated": "true"}, None),
                ({"x": "1"}, "Additional properties are not allowed ('x' was unexpected)"),
            ],
        )


class ResourceClassTest(SchemaTestCase):
    def test_only_custom_names_can_be_given(self):
        pattern = "'^CUSTOM_[A-Z0-9_]+$'"
        self.assert_told(
            resource_class.custom(),
            [
                ({"name": "CUSTOM_GPU"}, None),
                ({"name": "CUSTOM_" + "X" * 248}, None),
                ({"name": "CUSTOM_" + "X" * 249}, f"'CUSTOM_{'X' * 249}' is too long"),
                ({"name": "CUSTOM_"}, f"'CUSTOM_' does not match {pattern}"),
                ({"name": "VCPU"}, f"'VCPU' does not match {pattern}"),
                ({"name": "CUSTOM_GPU\n"}, r"'CUSTOM_GPU\n' is not a 'single-line'"),
                ({"name": "VCPU", "id": 1}, "Additional properties are not allowed ('id' was"),
                ({}, "'name' is a required property"),
            ],
        )


class UsageTest(SchemaTestCase):
    def test_usages_are_those_of_a_project(self):
        self.assert_told(
            usage.list_query(consumer_type=False),
            [
                ({"project_id": "p"}, None),
                ({"project_id": "p", "user_id": "u"}, None),
                ({"user_id": "u"}, "'project_id' is a required property"),
                ({"project_id": ""}, "'' should be non-empty"),
                ({"project_id": "p" * 256}, f"'{'p' * 256}' is too long"),
                (
                    {"project_id": "p", "consumer_type": "all"},
                    "Additional properties are not allowed ('consumer_type' was unexpected)",
                ),
            ],
        )

    def test_a_consumer_type_is_one_of_ours_or_a_word_in_capitals(self):
        def of(consumer_type):
            return {"project_id": "p", "consumer_type": consumer_type}

        self.assert_told(
            usage.list_query(consumer_type=True),
            [(of(each), None) for each in ("INSTANCE", "all", "unknown", "ALL", "allfoo")]
            + [
                (of(each), f"'{each}' does not match '^[A-Z0-9_]+$|^all|^unknown$'")
                for each in ("", "instance", "unknowns", "some all")
            ],
        )
