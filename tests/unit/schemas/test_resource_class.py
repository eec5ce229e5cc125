from placement.schemas import resource_class
from tests.unit.schemas.base import SchemaTestCase


class ResourceClassTest(SchemaTestCase):
    def test_a_class_can_only_be_given_a_custom_name(self):
        pattern = "'^CUSTOM_[A-Z0-9_]+$'"
        self.assert_complaints(
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
