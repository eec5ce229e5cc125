"""A small cloud to explore: `make demo` fills a running server with it.

`make serve` gives its server the files here: NAMES of the racks, and FLAVORS.
"""

import pathlib

NAMES = pathlib.Path(__file__).parent / "names.json"
FLAVORS = pathlib.Path(__file__).parent / "flavors.txt"
