from placement.microversion import version_flags
from placement.schemas import resource_provider
from tests.unit.schemas.base import OTHER, UUID, SchemaTestCase

OLDEST = version_flags.provider_in_request(lambda _: False)
NEWEST = version_flags.provider_in_request(lambda _: True)


class CreateTest(SchemaTestCase):
    def test_a_provider_requires_a_name_and_may_have_a_uuid(self):
        self.assert_complaints(
            resource_provider.create(**OLDEST),
            [
                ({"name": "cn1"}, None),
                ({"name": ""}, None),
                ({"name": "x" * 200}, None),
                ({"name": "cn1", "uuid": UUID}, None),
                ({}, "'name' is a required property"),
                ({"color": 1}, "'name' is a required property"),
                ({"name": 1, "color": 2}, "Additional properties are not allowed ('color' was"),
                ({"name": 1}, "1 is not of type 'string'"),
                ({"name": "x" * 201}, f"'{'x' * 201}' is too long"),
                ({"name": "cn1", "uuid": None}, "None is not of type 'string'"),
                ([], "[] is not of type 'object'"),
            ],
        )

    def test_a_uuid_may_be_spelled_in_many_ways(self):
        spellings = [
            UUID.upper(),
            UUID.replace("-", ""),
            f"{{{UUID}}}",
            f"urn:uuid:{UUID}",
            "a-" + UUID.replace("-", "")[1:],
        ]
        self.assert_complaints(
            resource_provider.create(**OLDEST),
            [({"name": "cn1", "uuid": spelling}, None) for spelling in spellings],
        )

    def test_a_text_that_is_not_a_uuid_is_refused(self):
        self.assert_complaints(
            resource_provider.create(**OLDEST),
            [
                ({"name": "cn1", "uuid": text}, f"{text!r} is not a 'uuid'")
                for text in ["", "cn1", UUID + "0", UUID[:-1] + "g", " " + UUID, UUID + "\n"]
            ],
        )

    def test_a_parent_is_accepted_since_1_14(self):
        unexpected = "Additional properties are not allowed ('parent_provider_uuid' was unexpected)"
        neither = "1 is not valid under any of the given schemas"
        child = {"name": "numa0", "parent_provider_uuid": OTHER}
        self.assert_complaints(resource_provider.create(**OLDEST), [(child, unexpected)])
        self.assert_complaints(
            resource_provider.create(**NEWEST),
            [
                (child, None),
                (child | {"parent_provider_uuid": None}, None),
                (child | {"parent_provider_uuid": 1}, neither),
                (child | {"parent_provider_uuid": "cn1"}, "'cn1' is not a 'uuid'"),
            ],
        )


class UpdateTest(SchemaTestCase):
    def test_only_the_name_and_parent_of_a_provider_can_change(self):
        self.assert_complaints(
            resource_provider.update(**NEWEST),
            [
                ({"name": "cn1"}, None),
                ({"name": "cn1", "parent_provider_uuid": None}, None),
                ({"parent_provider_uuid": None}, "'name' is a required property"),
                ({"name": "a", "uuid": UUID}, "Additional properties are not allowed ('uuid' was"),
                (
                    {"name": "a", "generation": 1, "root_provider_uuid": UUID},
                    "Additional properties are not allowed "
                    "('generation', 'root_provider_uuid' were unexpected)",
                ),
            ],
        )


class ListQueryTest(SchemaTestCase):
    def test_each_filter_of_providers_is_accepted_since_its_version(self):
        values = {
            "member_of": UUID,
            "resources": "VCPU:1",
            "in_tree": UUID,
            "required": "CUSTOM_GOLD",
        }
        for parameter, value in values.items():
            flags = dict.fromkeys(values, False)
            self.assert_complaints(
                resource_provider.list_query(**flags),
                [
                    (
                        {parameter: value},
                        f"Additional properties are not allowed ('{parameter}' was unexpected)",
                    )
                ],
            )
            self.assert_complaints(
                resource_provider.list_query(**flags | {parameter: True}),
                [({parameter: value, "name": "cn1", "uuid": UUID}, None)],
            )

    def test_the_uuids_of_a_query_need_dashes(self):
        query = resource_provider.list_query(
            member_of=True, resources=True, in_tree=True, required=True
        )
        self.assert_complaints(
            query,
            [
                ({"uuid": UUID.upper(), "in_tree": UUID}, None),
                ({"uuid": UUID.replace("-", "")}, f"'{UUID.replace('-', '')}' is not a 'uuid'"),
                ({"in_tree": ""}, "'' is not a 'uuid'"),
                ({"in_tree": UUID + "\n"}, f"'{UUID}\\n' is not a 'uuid'"),
            ],
        )
