"""What the tests of the OpenAPI documents look for in them."""


def operations_of(document):
    """Yield (method, url, operation) of a document."""
    for url, path in document["paths"].items():
        for method, operation in path.items():
            if method != "parameters":
                yield method, url, operation


def schemas_in(document, part):
    """Yield each dict in a part of a document, and in what it refers to."""
    if isinstance(part, list):
        for each in part:
            yield from schemas_in(document, each)
    if isinstance(part, dict):
        yield part
        for each in part.values():
            yield from schemas_in(document, each)
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            yield from schemas_in(document, document["components"]["schemas"][name])
