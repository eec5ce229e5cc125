"""The tests. The OS_* variables of the shell make no difference: they are removed here, before
anything reads them. A test sets those that it needs.
"""

import gc
import logging
import os

# With this variable, only the unit tests and the stories are loaded: see tests/run.py.
QUICK_ONLY = "PLACEMENT_TEST_QUICK"

for _name in [name for name in os.environ if name.startswith("OS_")]:
    del os.environ[_name]

# Without a handler, Python would print what is logged about planned failures to standard error. A
# test that is about the log captures it.
logging.getLogger().addHandler(logging.NullHandler())


def load_tests(loader, tests, pattern):
    """Load all tests; for `make quick`, only those that it may run, because loading takes long."""
    # Nothing that is loaded becomes garbage before the end, so there is no need to search it.
    gc.disable()
    suite = _load(loader, pattern)
    gc.freeze()
    gc.enable()
    return suite


def _load(loader, pattern):
    directory = os.path.dirname(__file__)
    if not os.environ.get(QUICK_ONLY):
        return loader.discover(directory, pattern)
    suite = loader.discover(os.path.join(directory, "unit"), pattern)
    suite.addTests(loader.loadTestsFromName("tests.test_gabbits"))
    return suite
