"""Makes the search read the small clouds of tests in batches, like large ones, and not whole."""

import contextlib
from unittest import mock

from placement.db.search import small_cloud


def in_batches():
    """Patch the search so that it treats every cloud as a large one."""
    return mock.patch.object(small_cloud, "read", return_value=None)


def as_small_cloud():
    """Patch nothing."""
    return contextlib.nullcontext()


class InBatches:
    """A mixin for a TestCase: its searches read in batches."""

    def setUp(self):
        super().setUp()
        self.enterContext(in_batches())
