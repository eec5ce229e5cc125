"""A small cloud to explore: `make demo` fills a running server with it."""
