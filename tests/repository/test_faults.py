"""`make faults` runs stories that exist."""

import pathlib
import re

import testtools

from tests.deployed.faults import __main__ as faults

_STORY = re.compile(r"^class .*Story\b.*\)", re.MULTILINE)


class Faults(testtools.TestCase):
    def test_each_subject_is_run_in_the_long_form_and_in_the_short_one(self):
        modules = pathlib.Path(faults.__file__).parent.glob("*.py")
        subjects = {path.stem for path in modules if _STORY.search(path.read_text())}
        self.assertEqual(subjects, set(faults.SUBJECTS))
        # What is lost in these stories depends on timing, so a short form could fail by chance.
        subjects.remove("lax_settings")
        self.assertEqual(subjects, {name.partition(".")[0] for name in faults.SHORT})
