"""One module per resource: a handler parses, calls the objects, and answers."""
