"""Which provider a person means by a text: the one with that UUID or, failing that, that name.

UUIDs are compared without regard to case, and names exactly.
"""


def may_be_meant(providers, texts):
    """The condition that one of the texts may mean a provider; `meant` decides which do."""
    # MySQL also finds names that differ in case.
    return providers.c.uuid.in_([text.lower() for text in texts]) | providers.c.name.in_(texts)


def meant(rows, texts):
    """Return {text: row of the provider that it means}; each of `rows` has a uuid and a name."""
    by_uuid, by_name = {row.uuid: row for row in rows}, {row.name: row for row in rows}
    found = {text: by_uuid.get(text.lower(), by_name.get(text)) for text in texts}
    return {text: row for text, row in found.items() if row is not None}
