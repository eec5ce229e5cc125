"""If a test fails, the suggestion for a misspelt name is missing, wrong or slow."""

import unittest
import uuid

from placement.candidates import close_names


class Names(unittest.TestCase):
    def like(self, name, *known):
        return close_names.KnownNames(known).like(name)

    def test_a_name_with_swapped_letters_is_similar(self):
        self.assertEqual(["GOLD"], self.like("GLOD", "GOLD", "SILVER", "BRONZE"))

    def test_the_likeliest_name_is_first(self):
        known = ["HW_CPU_X86_AVX", "HW_CPU_X86_AVX2", "HW_CPU_X86_AVX512F", "STORAGE"]
        self.assertEqual("HW_CPU_X86_AVX512F", self.like("HW_CPU_X86_AVX512", *known)[0])

    def test_a_name_unlike_all_others_has_no_suggestion(self):
        self.assertEqual([], self.like("GOLD", "SSD", "HDD"))
        self.assertEqual([], self.like("GOLD"))
        self.assertEqual([], self.like("", "A"))

    def test_the_likeliest_name_is_found_among_many_similar_ones(self):
        """Only a few are compared closely."""
        known = [f"RACK_{number:04}_FLASH" for number in range(2000)]
        self.assertEqual("RACK_1234_FLASH", self.like("RACK_1234_FLUSH", *known)[0])


class UUIDs(unittest.TestCase):
    KNOWN = "6e0e1a92-4a3c-4d69-9f1e-1d7c0e0c3f55"

    def like(self, text, *more):
        return close_names.KnownUUIDs([self.KNOWN, *more]).like(text)

    def test_a_uuid_with_few_wrong_digits_is_similar(self):
        for beginning in ("7e0e", "77", "777"):
            wrong = beginning + self.KNOWN[len(beginning) :]
            self.assertEqual([self.KNOWN], self.like(wrong))

    def test_a_uuid_with_too_many_wrong_digits_is_not_similar(self):
        self.assertEqual([], self.like(self.KNOWN.replace("6e0e", "7777", 1)))

    def test_a_uuid_in_another_spelling_is_similar(self):
        for text in (self.KNOWN.upper(), self.KNOWN.replace("-", "")):
            self.assertEqual([self.KNOWN], self.like(text))

    def test_the_three_likeliest_uuids_are_in_order(self):
        digits = self.KNOWN[:-1]
        more = [f"{digits}{digit}" for digit in "0123"]
        self.assertEqual([self.KNOWN, *more[:2]], self.like(self.KNOWN, *more))

    def test_each_wrong_digit_of_a_uuid_counts_once(self):
        for digit in "123456789abcdef":
            known = close_names.KnownUUIDs([uuid_of("0")])
            self.assertEqual([uuid_of("0")], known.like(uuid_of(digit)))
            self.assertEqual([], known.like(uuid_of(digit * 4)))

    def test_a_text_that_is_not_a_uuid_has_no_suggestion(self):
        self.assertEqual([], close_names.KnownUUIDs(["host-1", "z" * 32]).like(self.KNOWN))
        self.assertEqual([], self.like("host-1"))


def uuid_of(digits):
    return str(uuid.UUID(digits.rjust(32, "0")))
