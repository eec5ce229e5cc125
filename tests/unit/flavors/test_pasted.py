"""Queries from what people paste."""

import contextlib
import json
import urllib.parse

import testtools

from placement import constants, exception
from placement.flavors import pasted

ENABLED = "&root_required=!COMPUTE_STATUS_DISABLED"


class Queries(testtools.TestCase):
    """If a test fails, an operator has to find the query in a log line."""

    def test_a_query_is_found_in_what_is_pasted(self):
        query = "resources=VCPU:4,MEMORY_MB:64&required=!CUSTOM_OLD"
        encoded = "limit=1000&resources=VCPU%3A4%2CMEMORY_MB%3A64&required=%21CUSTOM_OLD"
        for expected, text in (
            (query, query),
            (encoded, f" ?{encoded}\n"),
            (encoded, f"https://cloud.example/placement/allocation_candidates?{encoded}"),
            (
                encoded,
                f'REQ: curl -g -X GET "http://[::1]/allocation_candidates?{encoded}" -H "A: */*"',
            ),
            (
                encoded,
                "2026-11-22 03:26:20.197 10042 INFO placement.requestlog [req-7d51 - - -] 10.0.0.5 "
                f'"GET /allocation_candidates?{encoded}" status: 200 len: 53 microversion: 1.36',
            ),
            (query, f"http://127.0.0.1:8778/operator/#/why?q={urllib.parse.quote(query, safe='')}"),
            ("resources1=VCPU:1", "resources1=VCPU:1\n"),
        ):
            self.assertEqual((expected, [], []), pasted.read(text))

    def test_amounts_need_no_name(self):
        for amounts in ("VCPU:4,MEMORY_MB:8192,DISK_GB:40", " VCPU:4, DISK_GB:40\n"):
            query, _, _ = pasted.read(amounts)
            self.assertEqual(f"resources={''.join(amounts.split())}", query)

    def test_text_that_asks_for_nothing_is_refused(self):
        for text in (
            "No valid host was found. There are not enough hosts?",
            "",
            "hw:numa_nodes=2",
            "vcpus=many",
        ):
            error = self.assertRaises(exception.BadQuery, pasted.read, text)
            self.assertIn("There is no request in this.", str(error))


class FlavorsAndImages(testtools.TestCase):
    """If a test fails, the page explains a request that nova does not send."""

    def assert_asks(self, expected, text, ignored=(), left_to_nova=()):
        self.assertEqual(
            (expected + ENABLED, list(ignored), list(left_to_nova)), pasted.read(text)
        )

    def test_extra_specs_are_read_however_they_are_printed(self):
        specs = {
            "resources:VCPU": "4",
            "trait:CUSTOM_GOLD": "required",
            "trait:CUSTOM_OLD": "forbidden",
            "resources1:SRIOV_NET_VF": "1",
        }
        quoted = ", ".join(f"{key}='{value}'" for key, value in specs.items())
        for text in (
            " ".join(f"{key}={value}" for key, value in specs.items()),
            ",".join(f"{key}={value}" for key, value in specs.items()),
            "\n".join(f"  {key}: {value}" for key, value in specs.items()),
            f"| properties | {quoted} |",
            json.dumps({"properties": quoted}),
            json.dumps({"properties": specs}),
            json.dumps({"properties": specs}, separators=(",", ":")),
        ):
            self.assert_asks(
                "resources=VCPU:4&required=CUSTOM_GOLD,!CUSTOM_OLD&resources1=SRIOV_NET_VF:1", text
            )

    def test_a_table_of_a_flavor_is_read(self):
        self.assert_asks(
            "resources=MEMORY_MB:8192,DISK_GB:87,PCPU:4&resources_GPU=PGPU:1"
            "&required_GPU=CUSTOM_A100",
            """
            | OS-FLV-DISABLED:disabled  | False                                                  |
            | OS-FLV-EXT-DATA:ephemeral | 5                                                      |
            | disk                      | 80                                                     |
            | properties                | hw:numa_nodes='2', resources:PCPU='4',
                                          resources:VCPU='0', resources_GPU:PGPU='1',
                                          trait_GPU:CUSTOM_A100='required'                       |
            | ram                       | 8192                                                   |
            | swap                      | 1500                                                   |
            | vcpus                     | 4                                                   |""",
            left_to_nova=["hw:numa_nodes=2"],
        )

    def test_the_json_of_a_flavor_is_read(self):
        flavor = {
            "OS-FLV-DISABLED:disabled": False,
            "OS-FLV-EXT-DATA:ephemeral": 5,
            "disk": 80,
            "name": "small",
            "properties": {"hw:cpu_policy": "dedicated", "hw:tpm_version": "2.0"},
            "ram": 8192,
            "swap": "",
            "vcpus": 4,
        }
        for indent in (None, 2):
            self.assert_asks(
                "resources=MEMORY_MB:8192,DISK_GB:85,PCPU:4&required=COMPUTE_SECURITY_TPM_2_0",
                json.dumps(flavor, indent=indent),
            )

    def test_the_options_of_a_command_that_makes_a_flavor_are_read(self):
        self.assert_asks(
            "resources=MEMORY_MB:4096,DISK_GB:25,VCPU:2,CUSTOM_GPU:1",
            "openstack flavor create gpu --property resources:CUSTOM_GPU=1 --ram 4096 --vcpus=2"
            " --disk 20 --ephemeral 5 --property hw:numa_nodes=2",
            left_to_nova=["hw:numa_nodes=2"],
        )

    def test_a_value_may_have_commas(self):
        for mask in ("0-3,^1", "'0-3,^1'", '"0-3,^1"'):
            self.assert_asks(
                "resources=MEMORY_MB:64,PCPU:3,VCPU:5",
                f"vcpus=8,hw:cpu_policy=mixed,hw:cpu_dedicated_mask={mask},ram=64",
            )

    def test_an_extra_spec_that_only_looks_like_a_trait_is_not_one(self):
        self.assert_asks(
            "resources=VCPU:1",
            "resources:VCPU=1 trait:CUSTOM_A=constructor",
            ignored=["trait:CUSTOM_A=constructor"],
        )

    def test_a_size_that_is_not_a_number_is_listed(self):
        for size in ("8GB", "9" * 5000):
            self.assert_asks("resources=VCPU:1", f"vcpus=1 ram={size}", ignored=[f"ram={size}"])

    def test_the_unsuffixed_group_comes_first_and_the_policy_is_kept(self):
        self.assert_asks(
            "resources=VCPU:1&resources1=PGPU:1&resources2=PGPU:1&group_policy=isolate",
            "resources1:PGPU=1 resources:VCPU=1 resources2:PGPU=1 group_policy=isolate",
        )


class LongTexts(testtools.TestCase):
    """If a test takes minutes, one text can occupy a worker: a pattern matches in many ways."""

    def test_text_that_almost_matches_everywhere_is_read_in_linear_time(self):
        for part in ("?", "?a", "#/a", "a:", "a-", "a:b='", "a=&", "A:1,", "ram ", "a:b=x,", "x,"):
            text = (part * constants.MAX_QUERY_CHARACTERS)[: constants.MAX_QUERY_CHARACTERS]
            with contextlib.suppress(exception.BadQuery):
                pasted.read(text)
