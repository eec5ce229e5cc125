from placement.schemas import allocation, reshaper
from tests.unit.schemas.base import OTHER, UUID, SchemaTestCase

VCPU = {"VCPU": 1}
LISTED = {"allocations": [{"resource_provider": {"uuid": UUID}, "resources": VCPU}]}
OWNER = {"project_id": "p", "user_id": "u"}
ALLOCATIONS = {"allocations": {UUID: {"resources": VCPU}}}
GENERATION = {"consumer_generation": None}
MAPPINGS = {"mappings": {"": [UUID], "_NET": [UUID, OTHER]}}
TYPE = {"consumer_type": "INSTANCE"}
# Spellings of a uuid that a key may not have.
OTHER_SPELLINGS = (UUID.replace("-", ""), f"{{{UUID}}}", f"urn:uuid:{UUID}", f"{UUID}0", "x")
UUID_KEY = "'^[0-9a-fA-F-]{36}$'"


def _flags(**flags):
    return {f"with_{name}": flag for name, flag in flags.items()}


# The fields of a consumer in each version, oldest first, and the flags of that version.
BY_VERSION = {
    "1.12": (ALLOCATIONS | OWNER, _flags(generation=False, mappings=False, consumer_type=False)),
    "1.28": (
        ALLOCATIONS | OWNER | GENERATION,
        _flags(generation=True, mappings=False, consumer_type=False),
    ),
    "1.34": (
        ALLOCATIONS | OWNER | GENERATION | MAPPINGS,
        _flags(generation=True, mappings=True, consumer_type=False),
    ),
    "1.38": (
        ALLOCATIONS | OWNER | GENERATION | MAPPINGS | TYPE,
        _flags(generation=True, mappings=True, consumer_type=True),
    ),
}
NEWEST, NEWEST_FLAGS = BY_VERSION["1.38"]


def without(document, key):
    return {name: value for name, value in document.items() if name != key}


class ListedAllocationsTest(SchemaTestCase):
    def test_a_list_of_allocations_has_an_owner_only_in_later_versions(self):
        self.assert_complaints(
            allocation.replace_listed(with_owner=False),
            [
                (LISTED, None),
                (
                    LISTED | OWNER,
                    "Additional properties are not allowed "
                    "('project_id', 'user_id' were unexpected)",
                ),
            ],
        )
        self.assert_complaints(
            allocation.replace_listed(with_owner=True),
            [
                (LISTED | OWNER, None),
                (LISTED, "'project_id' is a required property"),
                (LISTED | OWNER | {"user_id": ""}, "'' should be non-empty"),
                (LISTED | OWNER | {"user_id": "u" * 256}, f"'{'u' * 256}' is too long"),
            ],
        )

    def test_a_listed_allocation_is_a_provider_and_resources(self):
        def of(item):
            return {"allocations": [item]}

        provider = {"resource_provider": {"uuid": UUID}}
        self.assert_complaints(
            allocation.replace_listed(with_owner=False),
            [
                ({"allocations": []}, "[] should be non-empty"),
                ({"allocations": {}}, "{} is not of type 'array'"),
                (of({}), "'resource_provider' is a required property"),
                (of(provider), "'resources' is a required property"),
                (
                    of({"resource_provider": {"name": "x"}, "resources": VCPU}),
                    "Additional properties are not allowed ('name' was unexpected)",
                ),
                (
                    of({"resource_provider": {}, "resources": VCPU}),
                    "'uuid' is a required property",
                ),
                (
                    of({"resource_provider": {"uuid": "x"}, "resources": VCPU}),
                    "'x' is not a 'uuid'",
                ),
                (of(provider | {"resources": {}}), "{} should be non-empty"),
                (of(provider | {"resources": {"VCPU": 0}}), "0 is less than the minimum of 1"),
            ],
        )


class ConsumerTest(SchemaTestCase):
    def test_each_version_accepts_only_its_own_fields(self):
        later = []
        for version in reversed(BY_VERSION):
            document, flags = BY_VERSION[version]
            validator = allocation.replace(**flags)
            self.assert_complaints(validator, [(document, None)])
            for newer in later:
                refusal = "Additional properties are not allowed ("
                self.assert_complaints(validator, [(newer, refusal)])
            later.append(document)

    def test_all_fields_of_a_claim_but_mappings_are_required(self):
        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [
                (without(NEWEST, key), f"'{key}' is a required property")
                for key in NEWEST
                if key != "mappings"
            ]
            + [(without(NEWEST, "mappings"), None)],
        )

    def test_an_unexpected_key_is_reported_before_a_missing_one(self):
        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [({"x": 1}, "Additional properties are not allowed ('x' was unexpected)")],
        )

    def test_allocations_can_be_emptied_since_consumers_have_a_generation(self):
        for version, complaint in {"1.12": "{} should be non-empty", "1.28": None}.items():
            document, flags = BY_VERSION[version]
            emptied = document | {"allocations": {}}
            self.assert_complaints(allocation.replace(**flags), [(emptied, complaint)])

    def test_an_allocation_is_keyed_by_36_characters_and_may_name_a_generation(self):
        def of(allocations):
            return NEWEST | {"allocations": allocations}

        one = {"resources": VCPU}
        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [
                (of({UUID.upper(): one}), None),
                (of({"-" * 36: one}), None),
                (of({UUID: one | {"generation": 3}}), None),
                (of({UUID: one | {"generation": "3"}}), "'3' is not of type 'integer'"),
                (of({UUID: {"a": 1}}), "'resources' is a required property"),
                *(
                    (of({key: one}), f"'{key}' does not match any of the regexes: {UUID_KEY}")
                    for key in OTHER_SPELLINGS
                ),
                (of({UUID + "\n": one}), f"'{UUID}\\n' is too long"),
            ],
        )

    def test_resources_are_whole_amounts_by_class(self):
        def of(resources):
            return NEWEST | {"allocations": {UUID: {"resources": resources}}}

        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [
                (of({"VCPU": 1, "CUSTOM_GPU": 10**30}), None),
                (of({"VCPU": 2.0}), None),
                (of({}), "{} should be non-empty"),
                (of({"VCPU": 0}), "0 is less than the minimum of 1"),
                (of({"VCPU": 1.5}), "1.5 is not of type 'integer'"),
                (of({"VCPU": True}), "True is not of type 'integer'"),
                (
                    of({"vcpu": 1}),
                    "'vcpu' does not match any of the regexes: '^[A-Z0-9_]+$'",
                ),
            ],
        )

    def test_a_consumer_type_is_a_word_in_capitals(self):
        pattern = "'^[A-Z0-9_]+$'"
        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [
                (NEWEST | {"consumer_type": "X" * 255}, None),
                (NEWEST | {"consumer_type": "unknown"}, f"'unknown' does not match {pattern}"),
                (NEWEST | {"consumer_type": ""}, f"'' does not match {pattern}"),
                (NEWEST | {"consumer_type": "X" * 256}, f"'{'X' * 256}' is too long"),
                (NEWEST | {"consumer_type": "X\n"}, r"'X\n' is not a 'single-line'"),
                (NEWEST | {"consumer_type": None}, "None is not of type 'string'"),
            ],
        )

    def test_a_consumer_generation_is_an_integer_or_null(self):
        complaint = "'3' is not of type 'integer', 'null'"
        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [
                (NEWEST | {"consumer_generation": 3}, None),
                (NEWEST | {"consumer_generation": "3"}, complaint),
            ],
        )

    def test_mappings_are_checked_where_the_key_could_be_a_suffix(self):
        self.assert_complaints(
            allocation.replace(**NEWEST_FLAGS),
            [
                (NEWEST | {"mappings": {"": "anything"}}, None),
                (NEWEST | {"mappings": {}}, "{} should be non-empty"),
                (NEWEST | {"mappings": {"1": []}}, "[] should be non-empty"),
                (NEWEST | {"mappings": {"1": ["x"]}}, "'x' is not a 'uuid'"),
            ],
        )


class ManyConsumersTest(SchemaTestCase):
    def test_consumers_are_keyed_by_uuid_and_may_be_emptied_in_every_version(self):
        for document, flags in BY_VERSION.values():
            emptied = document | {"allocations": {}}
            self.assert_complaints(
                allocation.replace_many(**flags),
                [
                    ({UUID: document, OTHER: emptied}, None),
                    ({}, "{} should be non-empty"),
                    *(
                        (
                            {key: document},
                            f"'{key}' does not match any of the regexes: {UUID_KEY}",
                        )
                        for key in OTHER_SPELLINGS
                    ),
                    ({UUID: {}}, "'allocations' is a required property"),
                    ({UUID + "\n": document}, f"'{UUID}\\n' is too long"),
                ],
            )


class ReshapeTest(SchemaTestCase):
    def test_a_reshape_requires_inventories_and_allocations_which_may_be_empty(self):
        inventories = {UUID: {"resource_provider_generation": 0, "inventories": {}}}
        validator = reshaper.reshape(**NEWEST_FLAGS)
        self.assert_complaints(
            validator,
            [
                ({"inventories": inventories, "allocations": {}}, None),
                ({"inventories": inventories, "allocations": {OTHER: NEWEST}}, None),
                ({"inventories": {}, "allocations": {}}, "{} should be non-empty"),
                ({"inventories": inventories}, "'allocations' is a required property"),
                ({"allocations": {}, "x": 1}, "'inventories' is a required property"),
                *(
                    (
                        {"inventories": {key: inventories[UUID]}, "allocations": {}},
                        f"'{key}' does not match any of the regexes: {UUID_KEY}",
                    )
                    for key in OTHER_SPELLINGS
                ),
                (
                    {"inventories": {UUID: {"inventories": {}}}, "allocations": {}},
                    "'resource_provider_generation' is a required property",
                ),
            ],
        )

    def test_a_reshape_accepts_the_consumers_of_its_version(self):
        inventories = {UUID: {"resource_provider_generation": 0, "inventories": {}}}
        document, flags = BY_VERSION["1.28"]
        whole = {"inventories": inventories, "allocations": {OTHER: document}}
        self.assert_complaints(reshaper.reshape(**flags), [(whole, None)])
        self.assert_complaints(
            reshaper.reshape(**NEWEST_FLAGS),
            [(whole, "'consumer_type' is a required property")],
        )
