from placement.schemas import aggregate
from tests.unit.schemas.base import OTHER, UUID, SchemaTestCase


class AggregateTest(SchemaTestCase):
    def test_aggregates_before_1_19_are_a_bare_list(self):
        self.assert_complaints(
            aggregate.replace(with_generation=False),
            [
                ([], None),
                ([UUID, OTHER], None),
                ([UUID, UUID.upper()], None),
                ([UUID, UUID], f"['{UUID}', '{UUID}'] has non-unique elements"),
                (["x"], "'x' is not a 'uuid'"),
                ([f"urn:uuid:{UUID}"], f"'urn:uuid:{UUID}' is too long"),
                ([f"{UUID[:-1]}-{UUID[-1]}"], f"'{UUID[:-1]}-{UUID[-1]}' is too long"),
                ({"aggregates": []}, "{'aggregates': []} is not of type 'array'"),
            ],
        )

    def test_aggregates_since_1_19_have_the_generation(self):
        whole = {"aggregates": [UUID], "resource_provider_generation": 1}
        self.assert_complaints(
            aggregate.replace(with_generation=True),
            [
                (whole, None),
                ([UUID], f"['{UUID}'] is not of type 'object'"),
                ({}, "'aggregates' is a required property"),
                ({"aggregates": []}, "'resource_provider_generation' is a required property"),
                (whole | {"x": 1}, "Additional properties are not allowed ('x' was unexpected)"),
            ],
        )
