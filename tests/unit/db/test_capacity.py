"""The statement that takes capacity."""

import unittest

from placement.db import capacity


class Statement(unittest.TestCase):
    def test_it_is_compiled_once(self):
        """If it fails, each claim compiles it again, which takes as long as the rest of it."""
        self.assertIsNotNone(capacity._statement_for(3)._generate_cache_key())
