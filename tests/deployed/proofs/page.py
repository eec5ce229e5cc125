"""Somebody who has read nothing asks the page about the demo cloud, and then does what it says.

If a test fails, the page gave a wrong answer. See `make page`.
"""

import collections
import itertools
import re
import tempfile
import unittest
import urllib.parse

from playwright.sync_api import expect

import demo
from demo import client, cloud, loading
from tests import browser, server


class Proofs(unittest.TestCase):
    """Each proof begins with a demo cloud of its own."""

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(browser.chromium())

    def setUp(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        self.url = self.enterContext(
            server.placement(
                placement_database__connection=f"sqlite:///{directory}/placement.db",
                operator__names=str(demo.NAMES),
                metrics__flavors=str(demo.FLAVORS),
            )
        )
        self.admin = client.Client(self.url)
        loading.load(self.admin)
        self.page = browser.tab(self.browser)
        self.addCleanup(self.page.context.close)
        browser.open_view(self.page, self.url)

    def test_a7_can_be_emptied_and_each_move_of_the_plan_is_accepted(self):
        self.page.get_by_role("link", name="Hosts", exact=True).click()
        self.page.get_by_label("Name or UUID").fill("a7")
        self.page.get_by_role("link", name="a7", exact=True).click()
        self.page.get_by_role("link", name="Can this host be emptied?").click()
        expect(self.page.locator(".verdict")).to_contain_text("Yes. All 15 consumers can move")
        targets = self.rows("table.moves", ["Consumer", "To"])
        self.assertEqual(15, len(targets))
        for consumer, host in targets:
            [held] = self.held(consumer).values()
            self.place(consumer, {cloud.uuid_of(host): held})
        self.assertEqual({}, self.consumers_on("a7"))

    def test_racks_b_and_c_cannot_be_spared_and_a_and_d_can(self):
        self.page.get_by_role("button", name="Check each aggregate").click()
        expect(self.page.locator(".survival .verdict")).to_contain_text("2 of 4 aggregates")
        names = {"Rack B", "Rack C"}
        lost = self.page.locator(".lost-ones").get_by_role("rowheader")
        expect(lost).to_have_count(len(names))
        for name in names:
            # The page shows an aggregate by its uuid until it knows the name.
            expect(lost.filter(has_text=name)).to_have_count(1)
        for name in cloud.RACKS:
            with self.subTest(name):
                plan = self.admin.get(f"/operator/evacuation?aggregate={cloud.uuid_of(name)}")
                self.assertEqual(cloud.RACKS[name] not in names, plan["possible"])
                moves = [each for each in plan["consumers"] if each["to"]]
                before = {each["uuid"]: self.held(each["uuid"]) for each in moves}
                for each in moves:
                    self.place(each["uuid"], each["allocations"])
                for each in plan["consumers"]:
                    if not each["to"]:
                        self.assert_no_place(each["uuid"], name)
                # The racks are lost one at a time.
                for uuid, allocations in before.items():
                    self.place(uuid, allocations)

    def assert_no_place(self, consumer, rack):
        """Ask for candidates for what the consumer has in the rack, on hosts outside of it."""
        amounts = self.amounts_in(consumer)
        asked = ",".join(f"{name}:{amount}" for name, amount in amounts.items())
        elsewhere = f"member_of=!{cloud.uuid_of(rack)}"
        if rack == "rack-c":
            # The disk is not lost, and only hosts of the rack reach it.
            asked += f"&member_of={cloud.uuid_of(rack)}"
        found = self.admin.get(f"/allocation_candidates?resources={asked}&{elsewhere}")
        self.assertEqual([], found["allocation_requests"])

    def amounts_in(self, consumer):
        """Return what a consumer has, except for the shared disk."""
        amounts = collections.Counter()
        for uuid, held in self.held(consumer).items():
            if uuid != cloud.uuid_of("c-shared-disk"):
                amounts.update(held["resources"])
        return amounts

    def test_the_project_that_uses_most_is_the_one_with_the_highest_usages(self):
        shown = self.page.get_by_role("region", name="Project").get_by_role("rowheader").first
        expect(shown).to_be_visible()
        projects = {each.project for each in cloud.instances()}
        usages = {each: self.used(each) for each in projects}
        self.assertEqual(max(usages, key=usages.get), shown.inner_text())

    def used(self, project):
        usages = self.admin.get(f"/usages?project_id={project}")["usages"]
        return sum(each.get("VCPU", 0) for each in usages.values())

    def test_a_consumer_is_where_the_page_finds_it_even_when_it_is_left_over(self):
        consumer = cloud.uuid_of(cloud.MOVED)
        self.find(consumer)
        hosts = self.page.get_by_role("table").get_by_role("rowheader")
        expect(hosts).to_have_count(2)
        held = self.held(consumer)
        self.assertEqual({cloud.uuid_of(each) for each in hosts.all_inner_texts()}, set(held))
        # The audit finds what was left over, until somebody removes it.
        self.assertEqual(1, self.left_over())
        del held[cloud.uuid_of(cloud.LEFT_ON)]
        self.place(consumer, held)
        self.assertEqual(0, self.left_over())
        self.page.reload()
        browser.settle(self.page)
        expect(hosts).to_have_count(1)

    def left_over(self):
        checks = self.admin.get("/operator/audit")["checks"]
        [count] = [each["count"] for each in checks if each["check"] == "instance_in_two_trees"]
        return count

    def test_as_many_of_a_flavor_fit_as_the_page_says_and_the_next_is_refused(self):
        self.page.get_by_role("link", name="How many more?").click()
        self.page.get_by_role("link", name="Each flavor").click()
        expect(self.page.get_by_role("table", name="Flavors")).to_be_visible()
        self.claimed = []
        found = dict(self.rows("table.flavors", ["Flavor", "How many more fit"]))
        queries = {
            each["name"]: each["query"] for each in self.admin.get("/operator/flavors")["flavors"]
        }
        self.assertEqual(queries.keys(), found.keys())
        # Small flavors would take a thousand claims.
        for name in ("gpu.large", "metal.gold", "m1.large"):
            with self.subTest(name):
                self.assertEqual(int(found[name]), self.fill(queries[name], name))
                # Each flavor is counted as if only that flavor were used.
                while self.claimed:
                    self.admin.delete(self.claimed.pop())

    def test_a_mix_fits_as_often_as_the_page_says_and_no_more(self):
        wanted = {
            "web": ("VCPU:4,MEMORY_MB:8192,DISK_GB:40", 400),
            "gpu": ("VCPU:1,PGPU:1", 1),
            "metal": ("CUSTOM_BAREMETAL_GOLD:1", 1),
        }
        query = "&".join(
            urllib.parse.urlencode({"name": name, "count": count, "q": f"resources={amounts}"})
            for name, (amounts, count) in wanted.items()
        )
        browser.open_view(self.page, self.url, f"#/fit/mix?{query}")
        expect(self.page.locator(".verdict")).to_contain_text("They do not all fit together")
        rows = self.rows("table.mix", ["Placed", "Request", "Fit"])
        self.assertEqual(3, len(rows))
        self.claimed = []
        for _, name, fit in sorted(rows):
            amounts, count = wanted[name]
            with self.subTest(name):
                claimed = self.fill(f"resources={amounts}", name, count)
                self.assertEqual(f"{claimed} of {count}", fit)

    def test_a_request_fits_once_the_consumers_that_would_have_to_go_are_gone(self):
        asked = "resources=VCPU:4,MEMORY_MB:245760,DISK_GB:40"
        browser.open_view(self.page, self.url, f"#/why?q={urllib.parse.quote(asked, safe='')}")
        expect(self.page.locator(".verdict")).to_contain_text("No host can serve this")
        self.page.get_by_role("button", name="Find them").click()
        heading = self.page.get_by_role("heading", name="Who would have to go?")
        section = self.page.locator("section").filter(has=heading)
        first = section.locator("ul.closest > li").first
        expect(first).to_be_visible()
        links = first.locator("ul a").all()
        consumers = [each.get_attribute("href").rpartition("/")[2] for each in links]
        self.assertGreater(len(consumers), 1)
        candidates = f"/allocation_candidates?{asked}"
        for consumer in consumers:
            # No fewer consumers would do: while the last one stays, there is not enough room.
            self.assertEqual([], self.admin.get(candidates)["allocation_requests"])
            self.admin.delete(f"/allocations/{consumer}")
        self.assertNotEqual([], self.admin.get(candidates)["allocation_requests"])

    def fill(self, query, name, most=None):
        """Claim the first candidate until there is none; return how often that succeeded.

    most: stop after this many claims
        """
        for number in itertools.count() if most is None else range(most):
            path = f"/allocation_candidates?{query}&limit=1"
            requests = self.admin.get(path)["allocation_requests"]
            if not requests:
                return number
            claim = {
                "allocations": requests[0]["allocations"],
                "project_id": "proof",
                "user_id": "proof",
                "consumer_type": "INSTANCE",
                "consumer_generation": None,
            }
            path = f"/allocations/{cloud.uuid_of(f'{name} {number}')}"
            self.admin.put(path, claim)
            self.claimed.append(path)
        return most

    # What a test does with the page, and with the service.

    def find(self, text):
        self.page.get_by_label("Find anything").fill(text)
        self.page.keyboard.press("Enter")

    def rows(self, table, columns):
        """Return the texts of some columns of a table, a tuple for each row."""
        shown = self.page.locator(table)
        expect(shown).to_be_visible()
        titles = shown.locator("thead th").all_inner_texts()
        places = [titles.index(each) for each in columns]
        return [
            tuple(re.sub(r"\s+", " ", cells[place]).strip() for place in places)
            for cells in (
                row.locator("th, td").all_inner_texts() for row in shown.locator("tbody tr").all()
            )
        ]

    def allocations(self, consumer):
        return self.admin.get(f"/allocations/{consumer}")

    def held(self, consumer):
        """Return the allocations of a consumer, in the form of a request."""
        allocations = self.allocations(consumer)["allocations"]
        return {uuid: {"resources": each["resources"]} for uuid, each in allocations.items()}

    def consumers_on(self, host):
        path = f"/resource_providers/{cloud.uuid_of(host)}/allocations"
        return self.admin.get(path)["allocations"]

    def place(self, consumer, allocations):
        """Move a consumer, by a POST of what it should hold. Raises: client.Refused."""
        held = self.allocations(consumer)
        kept = ("project_id", "user_id", "consumer_type", "consumer_generation")
        moved = {name: held[name] for name in kept} | {"allocations": allocations}
        self.admin.post("/allocations", {consumer: moved})
