"""What the tests of the OpenAPI documents look for in them."""


def operations_of(document):
    """Yield (method, url, operation) of a document."""
    for url, path in document["paths"].items():
        for method, operation in path.items():
            if method != "parameters":
                yield method, url, operation
