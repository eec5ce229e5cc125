"""Tests of the tests. A mutant is the service with one small fault, which a test should catch.

`make mutants` plants faults at random places, one at a time, and runs the tests that execute
the changed statement. A mutant that no test catches survives: it needs a test, or an entry in
equivalent.toml that says why nobody could tell the difference.
"""

import pathlib

REPOSITORY = pathlib.Path(__file__).parents[2]
