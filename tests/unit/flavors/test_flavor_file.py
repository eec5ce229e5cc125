"""The files of flavors that are read, and those that are refused."""

import json
import pathlib
from unittest import mock

import fixtures
import testtools

from placement.flavors import flavor_file

# As `openstack flavor list --long -f json` prints it.
ROW = {
    "ID": "1",
    "Name": "m1.small",
    "RAM": 2048,
    "Disk": 20,
    "Ephemeral": 0,
    "VCPUs": 1,
    "Is Public": True,
    "Swap": 0,
    "RXTX Factor": 1.0,
    "Properties": {"trait:CUSTOM_A": "required"},
}
ENABLED = "&root_required=!COMPUTE_STATUS_DISABLED"
QUERY = f"resources=MEMORY_MB:2048,DISK_GB:20,VCPU:1&required=CUSTOM_A{ENABLED}"


def parse(text):
    return flavor_file.parse(text, "file")


class Files(testtools.TestCase):
    def test_the_list_of_the_openstack_command_is_read(self):
        self.assertEqual([("m1.small", QUERY, True, ())], parse(json.dumps([ROW])))

    def test_older_clients_print_other_forms_of_nothing_and_of_properties(self):
        row = ROW | {"Swap": "", "Properties": "trait:CUSTOM_A='required'"}
        self.assertEqual([("m1.small", QUERY, True, ())], parse(json.dumps([row])))

    def test_a_line_is_a_name_and_a_query_or_amounts(self):
        text = "# ours\n\nsmall VCPU:1,MEMORY_MB:512\n'large one' 'resources=VCPU:8&limit=1'\n"
        self.assertEqual(
            [
                ("small", "resources=VCPU:1,MEMORY_MB:512", None, ()),
                ("large one", "resources=VCPU:8&limit=1", None, ()),
            ],
            parse(text),
        )

    def test_a_line_may_have_sizes_and_extra_specs_as_for_nova(self):
        for text in (
            "m1.small --vcpus 1 --ram 2048 --disk 20 --property trait:CUSTOM_A=required",
            "m1.small --vcpus=1 --ram=2048 --disk=20 trait:CUSTOM_A=required",
        ):
            self.assertEqual([("m1.small", QUERY, None, ())], parse(text))
        self.assertEqual(
            [("gold", f"resources=CUSTOM_GOLD:1{ENABLED}", None, ())],
            parse("gold resources:CUSTOM_GOLD=1"),
        )

    def test_a_file_that_is_not_a_list_of_flavors_is_refused_in_a_sentence(self):
        other_json = "file is not what 'openstack flavor list --long -f json' prints."
        for text, complaint in (
            ("", "file has 0 flavors, not 1 to 10,000."),
            ("[", "file is not JSON: Expecting value"),
            ("[1]", other_json),
            ("[{}]", other_json),
            ('[{"RAM": "much", "Properties": {}}]', other_json),
            ("a VCPU:1\na VCPU:2", "file has several flavors named a."),
            ("a 'VCPU:1", "file, line 1: No closing quotation."),
            ("a VCPU:1 b", "file, line 1 has more than a name and a query: amounts are sep"),
            ("a --ram much", "file, line 1: --ram needs a number."),
            ("a --ram 1 much", "file, line 1: 'much' is neither a size (--vcpus, --ram, "),
        ):
            error = self.assertRaises(flavor_file.UnreadableFlavors, parse, text)
            self.assertIn(complaint, str(error))

    def test_a_file_may_have_so_many_flavors_and_no_more(self):
        with mock.patch.object(flavor_file, "MOST_FLAVORS", 3):
            self.assertEqual(3, len(parse("\n".join(f"{name} VCPU:1" for name in "abc"))))
            error = self.assertRaises(
                flavor_file.UnreadableFlavors, parse, "\n".join(f"{n} VCPU:1" for n in "abcd")
            )
        self.assertEqual("file has 4 flavors, not 1 to 3.", str(error))

    def test_a_file_that_cannot_be_read_is_named(self):
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).path) / "flavors"
        error = self.assertRaises(flavor_file.UnreadableFlavors, flavor_file.load, str(path))
        self.assertEqual(f"{path} cannot be read: No such file or directory.", str(error))
        path.write_bytes(b"a VCPU:1\nb\xff VCPU:1\n")
        error = self.assertRaises(flavor_file.UnreadableFlavors, flavor_file.load, str(path))
        self.assertEqual(f"{path}, line 2: it is not UTF-8.", str(error))
