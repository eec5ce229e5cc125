from placement.schemas import usage
from tests.unit.schemas.base import SchemaTestCase


class UsageTest(SchemaTestCase):
    def test_usages_require_a_project(self):
        self.assert_complaints(
            usage.list_query(by_consumer_type=False),
            [
                ({"project_id": "p"}, None),
                ({"project_id": "p", "user_id": "u"}, None),
                ({"user_id": "u"}, "'project_id' is a required property"),
                ({"project_id": ""}, "'' should be non-empty"),
                ({"project_id": "p" * 255}, None),
                ({"project_id": "p" * 256}, f"'{'p' * 256}' is too long"),
                (
                    {"project_id": "p", "consumer_type": "all"},
                    "Additional properties are not allowed ('consumer_type' was unexpected)",
                ),
            ],
        )

    def test_a_consumer_type_is_all_or_unknown_or_a_word_in_capitals(self):
        def of(consumer_type):
            return {"project_id": "p", "consumer_type": consumer_type}

        self.assert_complaints(
            usage.list_query(by_consumer_type=True),
            [
                (of(each), None)
                for each in ("INSTANCE", "I", "I" * 255, "all", "unknown", "ALL", "allfoo")
            ]
            + [
                (of(each), f"'{each}' does not match '^[A-Z0-9_]+$|^all|^unknown$'")
                for each in ("", "instance", "unknowns", "some all")
            ]
            + [(of("I" * 256), f"'{'I' * 256}' is too long")],
        )
