from placement.schemas import trait
from tests.unit.schemas.base import SchemaTestCase


class TraitTest(SchemaTestCase):
    def test_any_name_is_accepted_as_a_trait_to_look_up(self):
        whole = {"traits": ["CUSTOM_GOLD", "no trait"], "resource_provider_generation": 1}
        self.assert_complaints(
            trait.replace(),
            [
                (whole, None),
                (whole | {"traits": []}, None),
                (whole | {"traits": ["CUSTOM_GOLD", "CUSTOM_GOLD"]}, None),
                (whole | {"traits": [""]}, "'' should be non-empty"),
                (whole | {"traits": ["T" * 255]}, None),
                (whole | {"traits": ["T" * 256]}, f"'{'T' * 256}' is too long"),
                (whole | {"traits": "CUSTOM_GOLD"}, "'CUSTOM_GOLD' is not of type 'array'"),
                ({"traits": []}, "'resource_provider_generation' is a required property"),
            ],
        )

    def test_a_trait_can_only_be_given_a_custom_name(self):
        pattern = "'^CUSTOM_[A-Z0-9_]+$'"
        self.assert_complaints(
            trait.custom_name(),
            [
                ("CUSTOM_GOLD", None),
                ("CUSTOM_" + "X" * 248, None),
                ("CUSTOM_" + "X" * 249, f"'CUSTOM_{'X' * 249}' is too long"),
                ("CUSTOM_", f"'CUSTOM_' does not match {pattern}"),
                ("HW_CPU", f"'HW_CPU' does not match {pattern}"),
                ("CUSTOM_GOLD\n", r"'CUSTOM_GOLD\n' is not a 'single-line'"),
            ],
        )

    def test_traits_are_listed_by_name_and_use(self):
        self.assert_complaints(
            trait.list_query(),
            [
                ({"name": "startswith:CUSTOM", "associated": "true"}, None),
                ({"x": "1"}, "Additional properties are not allowed ('x' was unexpected)"),
            ],
        )
