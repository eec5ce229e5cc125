"""The tests. What OS_* variables are set around them makes no difference: they are removed here,
before anything reads them. A test sets those that it is about.
"""

import logging
import os

for _name in [name for name in os.environ if name.startswith("OS_")]:
    del os.environ[_name]

# Without a handler, Python would print warnings to standard error: what is logged of the failures
# that tests plan. A test that is about the log captures it.
logging.getLogger().addHandler(logging.NullHandler())
