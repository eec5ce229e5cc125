from placement.schemas import inventory
from tests.unit.schemas.base import SchemaTestCase

INTEGERS = {"total": 1, "reserved": 0, "min_unit": 1, "max_unit": 1, "step_size": 1}
MAX_INTEGER = 2147483647


class ValuesTest(SchemaTestCase):
    def test_each_integer_has_its_bounds(self):
        whole = {"total": 8, "resource_class": "VCPU"}
        for name, minimum in INTEGERS.items():
            self.assert_complaints(
                inventory.create(),
                [
                    (whole | {name: minimum}, None),
                    (whole | {name: MAX_INTEGER}, None),
                    (whole | {name: 10.0}, None),
                    (
                        whole | {name: minimum - 1},
                        f"{minimum - 1} is less than the minimum of {minimum}",
                    ),
                    (
                        whole | {name: MAX_INTEGER + 1},
                        f"2147483648 is greater than the maximum of {MAX_INTEGER}",
                    ),
                    (whole | {name: 1.5}, "1.5 is not of type 'integer'"),
                    (whole | {name: True}, "True is not of type 'integer'"),
                    (whole | {name: "8"}, "'8' is not of type 'integer'"),
                ],
            )

    def test_a_ratio_is_a_number_that_single_precision_can_hold(self):
        whole = {"total": 8, "resource_class": "VCPU"}
        self.assert_complaints(
            inventory.create(),
            [
                (whole | {"allocation_ratio": 16}, None),
                (whole | {"allocation_ratio": 0.5}, None),
                (whole | {"allocation_ratio": 0}, None),
                (whole | {"allocation_ratio": -1.5}, None),
                (
                    whole | {"allocation_ratio": 3.5e38},
                    "3.5e+38 is greater than the maximum of 3.40282e+38",
                ),
                (whole | {"allocation_ratio": -3.5e38}, "-3.5e+38 is less than the minimum of"),
                (whole | {"allocation_ratio": "1.0"}, "'1.0' is not of type 'number'"),
            ],
        )


class RequestTest(SchemaTestCase):
    def test_a_new_inventory_names_its_class(self):
        self.assert_complaints(
            inventory.create(),
            [
                ({"total": 8, "resource_class": "VCPU"}, None),
                (
                    {"total": 8, "resource_class": "VCPU", "resource_provider_generation": 7},
                    None,
                ),
                ({}, "'total' is a required property"),
                ({"total": 8}, "'resource_class' is a required property"),
                (
                    {"total": 0, "resource_class": "vcpu", "colour": 1},
                    "Additional properties are not allowed ('colour' was unexpected)",
                ),
                (
                    {"total": 8, "resource_class": "vcpu"},
                    "'vcpu' does not match '^[A-Z0-9_]+$'",
                ),
            ],
        )

    def test_a_replaced_inventory_names_a_generation(self):
        self.assert_complaints(
            inventory.replace(),
            [
                ({"total": 8, "resource_provider_generation": 0}, None),
                ({"total": 8, "resource_provider_generation": 2.0}, None),
                ({"total": 8, "resource_provider_generation": -1}, None),
                ({"total": 8}, "'resource_provider_generation' is a required property"),
                (
                    {"total": 8, "resource_provider_generation": 0, "resource_class": "VCPU"},
                    "Additional properties are not allowed ('resource_class' was unexpected)",
                ),
            ],
        )

    def test_inventories_are_keyed_by_class_and_have_a_generation(self):
        whole = {"resource_provider_generation": 0, "inventories": {}}
        vcpus = {"VCPU": {"total": 8, "resource_provider_generation": 1}}
        self.assert_complaints(
            inventory.replace_all(),
            [
                (whole, None),
                (whole | {"inventories": vcpus}, None),
                ({}, "'resource_provider_generation' is a required property"),
                ({"resource_provider_generation": 0}, "'inventories' is a required property"),
                (whole | {"inventories": []}, "[] is not of type 'object'"),
                (whole | {"inventories": {"VCPU": {}}}, "'total' is a required property"),
                (
                    whole | {"inventories": {"VCPU": {"total": 8, "resource_class": "VCPU"}}},
                    "Additional properties are not allowed ('resource_class' was unexpected)",
                ),
            ],
        )

    def test_the_schema_accepts_a_name_that_no_class_can_have(self):
        whole = {"resource_provider_generation": 0}
        self.assert_complaints(
            inventory.replace_all(),
            [
                (whole | {"inventories": {"no class": {"total": 8}}}, None),
                (whole | {"inventories": {"no class": 8}}, "8 is not of type 'object'"),
            ],
        )
