"""The kinds of names that clients write, as plain values."""

import enum


class Subject(enum.StrEnum):
    """What a name stands for. The values are the fields of db.names_and_ids.Names."""

    PROVIDERS = "providers"
    TREES = "trees"
    RESOURCE_CLASSES = "resource_classes"
    TRAITS = "traits"
    AGGREGATES = "aggregates"
    PROJECTS = "projects"
    USERS = "users"
    CONSUMER_TYPES = "consumer_types"
    CONSUMERS = "consumers"
