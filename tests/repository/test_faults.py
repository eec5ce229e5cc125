"""`make faults` runs what there is."""

import pathlib

import testtools

from tests.deployed.faults import __main__ as faults


class Faults(testtools.TestCase):
    def test_each_subject_is_run_in_the_long_form_and_in_the_short_one(self):
        modules = pathlib.Path(faults.__file__).parent.glob("*.py")
        subjects = {path.stem for path in modules if "(story.Story" in path.read_text()}
        self.assertEqual(subjects, set(faults.SUBJECTS))
        self.assertEqual(subjects, {name.partition(".")[0] for name in faults.SHORT})
