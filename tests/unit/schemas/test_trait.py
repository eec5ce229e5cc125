from placement.schemas import trait
from tests.unit.schemas.base import SchemaTestCase


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
