"""Packed rows: a truncated text is never taken for a complete, shorter one."""

import testtools

from placement.db.faults import outages
from placement.db.sql import packed_rows

MARKS = packed_rows.ROWS


def packed(*rows):
    return f"{len(rows)}{MARKS.count}" + "".join(f"{row}{MARKS.row}" for row in rows)


class WholeTexts(testtools.TestCase):
    def test_packed_rows_can_be_unpacked(self):
        self.assertEqual(["a", "b"], packed_rows.rows_of(packed("a", "b")))

    def test_packed_numbers_can_be_unpacked(self):
        text = packed(f"1{MARKS.column}2", f"3{MARKS.column}4")
        self.assertEqual([1, 2, 3, 4], packed_rows.numbers_of(text))


class CutTexts(testtools.TestCase):
    def test_a_truncated_text_is_always_noticed(self):
        text = packed("10", "20", "30")
        for end in range(text.index(MARKS.count) + 1, len(text)):
            for read in (packed_rows.rows_of, packed_rows.numbers_of):
                error = self.assertRaises(outages.Outage, read, text[:end])
                self.assertEqual(outages.Reason.CUTS, error.reason)
