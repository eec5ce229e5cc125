"""The page at /operator/, in a real browser, as a person sees it. See `make page`.

The cloud is that of the demo: a7 is nearly full, and nobody has said what kind of GPU b3 has.
"""

import pathlib
import re
import tempfile
import unittest
import urllib.parse

from axe_playwright_python import sync_playwright as axe
from playwright.sync_api import expect

import demo
from bench.clouds import cloud as bench
from bench.clouds import loader
from demo import client, cloud, night, tour
from tests import browser, server
from tests.documentation import demo_cloud

GPU = urllib.parse.quote(tour.GPU_FLAVOR, safe="")
MEDIUM = urllib.parse.quote("resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40", safe="")
# No host has this much left.
LARGEST = urllib.parse.quote("resources=VCPU:4,MEMORY_MB:245760,DISK_GB:40", safe="")
# This consumer is on a7.
CONSUMER = cloud.uuid_of("vm001")
VIEWS = {
    "cloud": "#/cloud",
    "by aggregate": "#/cloud?by=aggregate",
    "by trait": "#/cloud?by=trait",
    "by project": "#/cloud?by=project",
    "map": "#/map",
    "map of trees": "#/map?by=tree",
    "found": "#/find?q=a",
    "a consumer": f"#/consumers/{CONSUMER}",
    "history": "#/history",
    "a host's history": f"#/hosts/{cloud.uuid_of('b2')}?show=history",
    "hosts": "#/hosts",
    "a host": f"#/hosts/{cloud.uuid_of('b3')}",
    "form": "#/why",
    "why not": f"#/why?q={GPU}",
    "why so few": f"#/why?q={MEDIUM}",
    "how many more": f"#/fit?q={MEDIUM}",
    "who would have to go": f"#/why?q={LARGEST}",
    "a mix": f"#/fit/mix?name=web&count=400&q={MEDIUM}&name=gpu&count=2&q={GPU}",
    "flavors": "#/fit/flavors",
    "emptying a host": f"#/empty?host={cloud.uuid_of('a7')}",
    "emptying a rack": f"#/empty?aggregate={cloud.uuid_of('rack-b')}",
    "audit": "#/audit",
    "nothing": "#/nothing",
}
# What the console logs about an error that the page itself explains in a sentence.
_EXPECTED = ("401 (Unauth", "403 (Forbidden)", "400 (Bad", "503 (Service", "net::ERR_FAILED")
SERIOUS = ("serious", "critical")
# The buttons that ask for a release, and for what cannot be spared.
PLANNING = re.compile("^(Find them|Check each (host|aggregate))$")


URL = None
BROWSER = None


def setUpModule():
    global URL, BROWSER
    directory = unittest.enterModuleContext(tempfile.TemporaryDirectory())
    file = pathlib.Path(directory, "placement.db")
    database = f"sqlite:///{file}"
    URL = unittest.enterModuleContext(
        server.placement(
            placement_database__connection=database,
            operator__names=str(demo.NAMES),
            metrics__flavors=str(demo.FLAVORS),
        )
    )
    demo_cloud.load(URL, file)
    BROWSER = unittest.enterModuleContext(browser.chromium())


class Browsing(unittest.TestCase):
    """A test with a browser and the demo cloud. No view writes errors to the console."""

    def setUp(self):
        self.url = URL
        self.complaints = []
        self.addCleanup(lambda: self.assertEqual([], self.complaints))

    def tab(self, **options):
        page = browser.tab(BROWSER, **options)
        self.addCleanup(page.context.close)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("console", self._hear)
        return page

    def _hear(self, message):
        if message.type == "error" and not any(each in message.text for each in _EXPECTED):
            self.complaints.append(message.text)

    def visit(self, route="", **options):
        page = self.tab(**options)
        browser.open_view(page, self.url, route)
        return page


class Newcomer(Browsing):
    """Somebody who has read nothing. If a test fails, the page needs a manual."""

    def test_a_token_is_asked_for_once(self):
        page = self.visit(token=None)
        page.get_by_label("Token").fill("admin")
        page.keyboard.press("Enter")
        expect(page.get_by_text("25 hosts")).to_be_visible()
        page.reload()
        expect(page.get_by_text("25 hosts")).to_be_visible()
        page.get_by_role("button", name="Forget the token").click()
        expect(page.get_by_label("Token")).to_be_visible()

    def test_for_a_token_without_rights_the_page_names_the_rights_it_needs(self):
        page = self.visit(token="somebody")
        expect(page.get_by_role("alert")).to_contain_text("requires the role admin or service")
        page.get_by_label("Token").fill("admin")
        page.keyboard.press("Enter")
        expect(page.get_by_text("25 hosts")).to_be_visible()

    def test_the_first_view_shows_how_full_the_cloud_is(self):
        page = self.visit()
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="PGPU"))
        expect(row).to_contain_text("67 %")
        expect(row).to_contain_text("2 of 3")

    def test_the_first_view_shows_how_full_the_cloud_was_and_when_it_would_be_full(self):
        page = self.visit()
        chart = page.get_by_role("img", name="VCPU: ")
        expect(chart).to_be_visible()
        label = chart.get_attribute("aria-label")
        self.assertRegex(label, r"of 2,112 used \(1\d %\) on .*, 530 of 2,368 used \(22 %\) on ")
        figure = page.get_by_role("figure").filter(has_text="VCPU")
        expect(figure).to_contain_text("Full in about")
        lengths = figure.locator("path").evaluate_all("paths => paths.map(p => p.getTotalLength())")
        self.assertEqual([True] * 3, [length > 300 for length in lengths])

    def test_before_the_first_sample_the_page_says_when_to_expect_one(self):
        page = self.tab()
        none = {"format": 1, "by": "class", "since": "", "step": "1h", "rows": []}
        page.route("**/capacity/history?*", lambda route: route.fulfill(json=none))
        browser.open_view(page, self.url)
        expect(page.get_by_text("No samples yet")).to_be_visible()

    def test_the_first_view_names_the_nearly_full_host(self):
        page = self.visit()
        fullest = page.get_by_role("listitem").filter(has_text="MEMORY_MB")
        expect(fullest.first).to_contain_text("a7")
        expect(fullest.first).to_contain_text("97 %")
        expect(fullest.filter(has_text="a7")).to_have_count(1)

    def test_a_class_leads_to_its_fullest_hosts(self):
        page = self.visit()
        page.get_by_role("link", name="MEMORY_MB", exact=True).click()
        expect(page.get_by_role("rowheader").first).to_have_text("a7")

    def test_a_rack_has_its_own_sums(self):
        page = self.visit()
        page.get_by_role("link", name="By aggregate").click()
        expect(page.get_by_role("link", name="Rack A")).to_be_visible()
        row = page.get_by_role("row").filter(has_text="Rack B")
        expect(row.get_by_role("img", name="67 % used: 4 of 6")).to_be_visible()
        self.assertIn("by=aggregate", page.url)

    def test_the_first_view_shows_who_uses_most(self):
        page = self.visit()
        table = page.get_by_role("region", name="Project")
        expect(table.get_by_role("rowheader").first).to_have_text("web")
        table.get_by_role("link", name="lab").click()
        expect(page.get_by_text("Only project lab.")).to_be_visible()
        expect(page.get_by_role("rowheader")).to_have_count(1)

    def test_amounts_are_in_readable_units(self):
        page = self.visit()
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="MEMORY_MB"))
        expect(row.first).to_contain_text("1.1 TiB")
        expect(row.first).to_contain_text("3.5 TiB")

    def test_an_audit_runs_only_when_asked_for_and_is_remembered(self):
        asked = []
        page = self.tab()
        page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
        browser.open_view(page, self.url)
        expect(page.get_by_text("No audit was recorded")).to_be_visible()
        self.assertNotIn("audit", asked)
        page.get_by_role("button", name="Audit now").click()
        expect(page.get_by_text("The ledger is right.")).to_be_visible()
        page.reload()
        expect(page.get_by_text("The ledger is right.")).to_be_visible()
        expect(page.get_by_text("just now")).to_be_visible()
        self.assertEqual(1, asked.count("audit"))

    def test_a_consumer_is_found_by_its_uuid(self):
        page = self.visit()
        self.find(page, CONSUMER)
        expect(page.get_by_role("heading", name=CONSUMER)).to_be_visible()
        page.get_by_role("table").get_by_role("link", name="a7", exact=True).click()
        expect(page.get_by_role("heading", name="a7", level=1)).to_be_visible()

    def test_the_search_finds_hosts_projects_and_names_that_were_given(self):
        page = self.visit()
        self.find(page, "b3")
        page.get_by_role("row").filter(has_text="Host").get_by_role("link", name="b3").first.click()
        expect(page.get_by_role("heading", name="b3", level=1)).to_be_visible()
        self.find(page, "rack a")
        expect(page.get_by_text("4 of 25 hosts.")).to_be_visible()
        self.find(page, "web")
        expect(page.get_by_text("Only project web.")).to_be_visible()

    def test_a_search_for_nothing_says_so(self):
        page = self.visit()
        self.find(page, "zzz")
        expect(page.get_by_text("Nothing matches “zzz”.")).to_be_visible()

    def test_a_search_that_finds_too_much_asks_for_more_of_the_name(self):
        page = self.visit()
        self.find(page, "c")
        expect(page.get_by_text("Type more of the name.")).to_be_visible()

    def find(self, page, text):
        page.get_by_label("Find anything").fill(text)
        page.keyboard.press("Enter")

    def test_the_map_shows_how_full_each_host_of_a_rack_is(self):
        page = self.visit("#/map?class=MEMORY_MB")
        rack = page.locator("section").filter(has_text="Rack D")
        expect(rack).to_contain_text("50 % of 496 GiB, 4 hosts")
        expect(rack.get_by_role("link", name="a7: 97 % used, 120 GiB of 124 GiB")).to_be_visible()
        page.get_by_label("Class").select_option("PGPU")
        expect(page.get_by_text("3 of 25 hosts offer PGPU.")).to_be_visible()

    def test_the_map_shows_the_providers_of_each_host(self):
        page = self.visit("#/map?class=PGPU")
        page.get_by_label("Group by").select_option("tree")
        host = page.locator("section").filter(has=page.get_by_role("heading", name="b3"))
        expect(host).to_contain_text("1 provider")
        host.get_by_role("link", name="b3-gpus: 0 % used").click()
        expect(page.get_by_role("heading", name="b3", level=1)).to_be_visible()

    def test_the_map_can_be_used_by_keyboard(self):
        page = self.visit("#/map")
        # The name of the rack decides its place among the other racks.
        expect(page.get_by_role("heading", name=cloud.RACKS["rack-a"])).to_be_visible()
        first = page.locator(".cell").first
        first.focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".cell").nth(1)).to_be_focused()
        label = page.locator(".cell").nth(1).get_attribute("aria-label")
        expect(page.locator(".pointed")).to_have_text(label)
        page.keyboard.press("Enter")
        name = label.partition(":")[0]
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        self.assertIn("#/hosts/", page.url)

    def test_disabled_hosts_are_marked_in_all_views_of_hosts(self):
        uuid = self.disable("c1")
        for view in ("#/hosts", f"#/hosts/{uuid}"):
            with self.subTest(view):
                page = self.visit(view)
                expect(page.get_by_title("COMPUTE_STATUS_DISABLED").first).to_be_visible()
        page = self.visit("#/map")
        expect(page.get_by_role("link", name="c1: ").first).to_have_attribute(
            "aria-label", re.compile(", disabled$")
        )

    def test_disabled_hosts_are_marked_in_answers_about_hosts(self):
        self.disable("c1")
        fit, why = "#/fit?q=resources=VCPU:1", "#/why?q=resources=VCPU:1&host=c1"
        for view in ("#/find?q=c", fit, why, "#/empty?host=c1"):
            with self.subTest(view):
                page = self.visit(view)
                expect(page.get_by_title("COMPUTE_STATUS_DISABLED").first).to_be_visible()

    def disable(self, name):
        """Give a host the trait until the end of the test; return its UUID."""
        admin, uuid = client.Client(URL), cloud.uuid_of(name)
        path = f"/resource_providers/{uuid}/traits"
        before = admin.get(path)
        changed = before | {"traits": [*before["traits"], "COMPUTE_STATUS_DISABLED"]}
        admin.put(path, changed)
        back = changed | {
            "traits": before["traits"],
            "resource_provider_generation": before["resource_provider_generation"] + 1,
        }
        self.addCleanup(admin.put, path, back)
        return uuid

    def test_a_host_is_found_and_opens_as_its_tree(self):
        page = self.visit()
        page.get_by_role("link", name="Hosts", exact=True).click()
        page.get_by_label("Name or UUID").fill("b3")
        page.get_by_role("table").get_by_role("link", name="b3", exact=True).click()
        expect(page.get_by_role("heading", name="b3", level=1)).to_be_visible()
        expect(page).to_have_title("b3 – Placement")
        expect(page.get_by_role("link", name="b3-gpus")).to_be_visible()
        expect(page.get_by_text("8 consumers")).to_be_visible()

    def test_a_search_that_finds_nothing_leads_back(self):
        page = self.visit("#/hosts?search=zzz")
        expect(page.get_by_text("0 of 25 hosts.")).to_be_visible()
        page.get_by_role("link", name="Show all").click()
        expect(page.get_by_text("25 hosts.", exact=True)).to_be_visible()

    def test_the_filter_for_room_shows_only_hosts_with_room(self):
        page = self.visit("#/hosts")
        page.get_by_label("Room for").fill("VCPU:1,MEMORY_MB:8192")
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="a1", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="a7", exact=True)).to_have_count(0)

    def test_the_view_why_not_says_why_the_flavor_with_a_gpu_does_not_fit(self):
        page = self.visit("#/why")
        page.get_by_label("A query, a log line").fill(tour.GPU_FLAVOR)
        page.get_by_role("button", name="Use it").click()
        page.get_by_role("button", name="Ask why").click()
        expect(page.get_by_text("No host can serve this.")).to_be_visible()
        change = page.get_by_role("link", name=f"Drop: trait {cloud.GPU_TRAIT}")
        expect(change.locator("..")).to_contain_text("b3")
        change.click()
        expect(page.locator(".verdict")).to_contain_text("It fits")

    def test_the_view_of_a_host_says_why_it_is_not_a_candidate(self):
        page = self.visit(f"#/hosts/{cloud.uuid_of('a7')}")
        page.get_by_label("Request", exact=True).fill("VCPU:4,MEMORY_MB:8192")
        page.get_by_role("button", name="Explain").click()
        expect(page.get_by_text("For host a7 only.")).to_be_visible()
        expect(page.locator(".summary")).to_contain_text("a7: has too little MEMORY_MB free")
        page.get_by_role("link", name="Ask about all hosts").click()
        expect(page.locator(".verdict")).to_contain_text("of 25 hosts")

    def test_ignored_parts_of_a_pasted_flavor_are_listed_above_the_answer(self):
        page = self.visit("#/why")
        page.get_by_label("A query, a log line").fill("--vcpus 2 --property hw:numa_nodes=2")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator(".verdict")).to_contain_text("It fits")
        expect(page.get_by_text("Ignored: hw:numa_nodes=2.")).to_be_visible()

    def test_a_pasted_flavor_asks_for_what_nova_asks(self):
        page = self.visit("#/why")
        page.get_by_label("A query, a log line").fill(
            '{"vcpus": 4, "ram": 8192, "properties": {"hw:cpu_policy": "dedicated"}}'
        )
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_label("Amount, PCPU")).to_have_value("4")
        expect(page.locator(".verdict")).to_be_visible()
        self.assertIn(
            "?q=resources=MEMORY_MB:8192,PCPU:4&root_required=!COMPUTE_STATUS_DISABLED",
            urllib.parse.unquote(page.url),
        )

    def test_a_text_without_a_request_is_refused_where_it_was_pasted(self):
        page = self.visit("#/why")
        page.get_by_label("A query, a log line").fill("No valid host was found.")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator(".paste")).to_contain_text("There is no request in this.")

    def test_a_request_can_be_entered_in_a_form(self):
        page = self.visit("#/why")
        page.get_by_placeholder("Class").fill("VCPU")
        page.get_by_placeholder("Amount").fill("400")
        page.keyboard.press("Enter")
        expect(page.get_by_text("No host can serve this.")).to_be_visible()
        self.assertIn("VCPU%3A400", page.url)

    def test_a_typing_error_is_corrected(self):
        page = self.visit("#/why?q=resources%3DVCPU%3A1%26required%3DHW_CPU_X86_AVX521F")
        page.get_by_role("link", name=cloud.AVX512).click()
        expect(page.get_by_label("Required traits")).to_have_value(cloud.AVX512)

    def test_the_count_of_what_fits_falls_if_a_host_is_drained(self):
        page = self.visit(f"#/fit?q={MEDIUM}")
        total = page.locator(".verdict")
        expect(total).to_contain_text("more fit, on 19 of 25 hosts")
        page.get_by_role("link", name="c2 drained").first.click()
        expect(total).to_contain_text("on 18 of 24 hosts")

    def test_the_audit_says_that_the_ledger_is_right(self):
        page = self.visit()
        page.get_by_role("link", name="Audit").click()
        expect(page.get_by_text("The ledger is right.")).to_be_visible()
        expect(page.get_by_text("used_is_sum")).to_be_visible()

    def test_the_page_offers_to_try_again_while_the_service_is_unavailable(self):
        page = self.tab()
        page.route("**/operator/audit", lambda route: route.fulfill(status=503))
        browser.open_view(page, self.url, "#/audit")
        expect(page.get_by_role("alert")).to_contain_text("cannot answer right now")
        page.unroute("**/operator/audit")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("The ledger is right.")).to_be_visible()

    def test_the_page_says_that_the_service_is_gone(self):
        page = self.tab()
        page.route("**/operator/audit", lambda route: route.abort())
        browser.open_view(page, self.url, "#/audit")
        expect(page.get_by_role("alert")).to_contain_text("does not answer")

    def test_each_request_can_be_made_in_a_terminal(self):
        page = self.visit("#/audit")
        page.get_by_text("The same in a terminal").click()
        line = page.get_by_label("Command").inner_text()
        self.assertIn(f"'{self.url}/operator/audit'", line)
        self.assertNotIn("admin", line)


class Past(Browsing):
    """Somebody who asks what happened.

    If a test fails, this person has to read the logs of three services.
    """

    def test_a_newcomer_finds_out_what_happened_to_b2_last_night_and_who_did_it(self):
        page = self.visit()
        page.get_by_label("Find anything").fill("b2")
        page.keyboard.press("Enter")
        page.get_by_role("row").filter(has_text="Host").get_by_role("link", name="b2").first.click()
        # The results also say that b2 and its children are disabled.
        expect(page.get_by_role("heading", name="b2", level=1)).to_be_visible()
        expect(page.get_by_text("disabled", exact=True)).to_be_visible()
        page.get_by_role("link", name="History").last.click()
        lines = page.locator(".history li p:first-child")
        expect(lines.first).to_have_text(
            "tom changed the inventory of b2-numa1: MEMORY_MB total from 96 GiB to 64 GiB"
        )
        expect(lines.nth(6)).to_have_text("maria disabled b2: added COMPUTE_STATUS_DISABLED")
        story = [re.sub(r"instance \w{8}", "instance", each) for each in lines.all_inner_texts()]
        moves = story[1:6]
        self.assertEqual(len(night.moved()), len(moves))
        for move in moves:
            self.assertRegex(move, r"nova moved instance of project \w+ from b2 to b[46]: VCPU ")

    def test_a_moved_instance_leads_to_its_own_history(self):
        instance = night.moved()[0]
        page = self.visit(f"#/hosts/{cloud.uuid_of('b2')}?show=history")
        uuid = cloud.uuid_of(instance.name)
        page.get_by_title(uuid).first.click()
        expect(page.get_by_role("heading", name=uuid)).to_be_visible()
        lines = page.locator(".history li p:first-child")
        expect(lines).to_have_count(2)
        expect(lines.first).to_contain_text("from b2 to b4")
        expect(lines.last).to_contain_text("nova placed instance")

    def test_changes_of_the_cloud_can_be_filtered_by_kind(self):
        page = self.visit("#/history")
        expect(page.get_by_text("nova placed instance").first).to_be_visible()
        page.get_by_label("Changes to").select_option("traits")
        expect(page.get_by_text("maria disabled b2")).to_be_visible()
        expect(page.get_by_text("nova placed instance")).to_have_count(0)
        expect(page.get_by_text("Nothing else was changed in this period.")).to_be_visible()

    def test_older_changes_are_read_only_when_asked_for(self):
        page = self.visit("#/history?since=all")
        lines = page.locator(".history li")
        expect(lines).to_have_count(50)
        page.get_by_role("button", name="Show older changes").focus()
        page.keyboard.press("Enter")
        expect(lines).to_have_count(100)
        expect(page.locator(".history").last).to_be_focused()
        days = page.locator(".history h2").all_inner_texts()
        self.assertEqual(len(days), len(set(days)))

    def test_a_history_is_asked_for_once(self):
        page, asked = self.tab(), []
        page.on("request", lambda request: asked.append(request.url))
        browser.open_view(page, self.url, f"#/hosts/{cloud.uuid_of('b2')}?show=history")
        expect(page.get_by_role("heading", name="b2")).to_be_visible()
        expect(page.get_by_text("maria disabled b2")).to_be_visible()
        self.assertEqual(1, len([url for url in asked if "/operator/changes?" in url]))

    def test_the_request_of_a_change_can_be_looked_for_in_the_logs(self):
        page = self.visit("#/history")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        line = page.locator(".history li").first
        shown = line.locator("code").inner_text()
        line.get_by_role("button", name="Copy the request id").click()
        expect(line.get_by_role("button")).to_have_text("Copied")
        self.assertEqual(shown, page.evaluate("navigator.clipboard.readText()"))

    def test_the_history_says_that_nothing_was_kept_or_recorded(self):
        page = self.visit("#/history?since=1h&kind=resource_class")
        nothing = page.get_by_text("Nothing was changed in this period. Changes are kept for")
        expect(nothing).to_be_visible()
        page = self.tab()
        nothing = {"format": 1, "changes": [], "next": None}
        page.route("**/operator/changes?*", lambda route: route.fulfill(json=nothing))
        service = client.Client(self.url).get("/operator/service") | {"history_days": 0}
        page.route("**/operator/service", lambda route: route.fulfill(json=service))
        browser.open_view(page, self.url, "#/history")
        expect(page.get_by_text("This service does not record what is changed")).to_be_visible()

    def test_a_host_that_was_deleted_still_has_a_history(self):
        admin, uuid = client.Client(URL), "de1e7ed0-0000-4000-8000-000000000001"
        admin.post("/resource_providers", {"uuid": uuid, "name": "short-lived"})
        admin.delete(f"/resource_providers/{uuid}")
        page = self.visit(f"#/hosts/{uuid}")
        expect(page.get_by_text("There is no resource provider")).to_be_visible()
        page.get_by_role("link", name="History").last.click()
        expect(page.get_by_text("admin deleted short-lived")).to_be_visible()


class Description(Browsing):
    """The page at /docs. If a test fails, somebody who tries out a request there gives up."""

    def test_queries_for_candidates_can_be_tried_out(self):
        page = self.tab(token=None)
        page.goto(f"{self.url}/docs")
        viewer = page.locator("rapi-doc")
        expect(page.get_by_role("button", name="TRY").first).to_be_visible()
        viewer.evaluate("viewer => viewer.setApiKey('token', 'admin')")
        for path in ("/allocation_candidates", "/operator/explanation", "/operator/fit"):
            with self.subTest(path):
                operation = page.locator(f"[id='get-{path}']")
                with page.expect_response(f"**{path}?*") as asked:
                    operation.get_by_role("button", name="TRY").click()
                self.assertEqual(200, asked.value.status)


class Everyone(Browsing):
    """If a test fails, some people cannot use the page."""

    def test_axe_finds_nothing_serious(self):
        for scheme in ("light", "dark"):
            page = self.tab(scheme=scheme)
            for name, route in VIEWS.items():
                with self.subTest(name, scheme=scheme):
                    self.open_with_plans(page, route)
                    found = axe.Axe().run(page).response["violations"]
                    self.assertEqual(
                        [],
                        [
                            (each["id"], [node["html"] for node in each["nodes"]])
                            for each in found
                            if each["impact"] in SERIOUS
                        ],
                    )

    def test_the_page_fits_the_width_of_a_telephone(self):
        page = self.tab(width=browser.NARROW)
        for name, route in VIEWS.items():
            with self.subTest(name):
                self.open_with_plans(page, route)
                self.assertEqual(browser.NARROW, page.evaluate("document.body.scrollWidth"))

    def open_with_plans(self, page, route):
        """Go to a view, and press the buttons for plans that are made only on request."""
        browser.open_view(page, self.url, route)
        for button in page.get_by_role("button", name=PLANNING).all():
            button.click()
            browser.settle(page)

    def test_the_page_can_be_used_by_keyboard(self):
        page = self.visit()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()
        page.get_by_role("link", name="Audit").press("Enter")
        expect(page.get_by_role("heading", name="Audit", level=1)).to_be_focused()


class Enemy(Browsing):
    """If a test fails, anybody who can name a provider can act as an operator."""

    NAME = "<script>alert(1)</script><img src=x onerror=alert(2)>"

    def test_names_with_html_are_shown_as_text(self):
        uuid = self.make_full_host()
        for view in ("#/cloud", "#/hosts", f"#/hosts/{uuid}"):
            with self.subTest(view):
                page = self.visit(view)
                expect(page.get_by_text(self.NAME).first).to_be_visible()
                self.assertEqual(0, page.locator("main img, main script").count())

    def make_full_host(self):
        """Make a host called NAME, taken in full by a project called NAME. Return its uuid."""
        uuid, consumer = (f"e0e0e0e0-0000-4000-8000-00000000000{number}" for number in (1, 2))
        admin = client.Client(URL)
        admin.post("/resource_providers", {"uuid": uuid, "name": self.NAME})
        self.addCleanup(admin.delete, f"/resource_providers/{uuid}")
        admin.put(
            f"/resource_providers/{uuid}/inventories",
            {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 2}}},
        )
        claim = {
            "allocations": {uuid: {"resources": {"VCPU": 2}}},
            "project_id": self.NAME,
            "user_id": self.NAME,
            "consumer_type": "INSTANCE",
            "consumer_generation": None,
        }
        admin.put(f"/allocations/{consumer}", claim)
        self.addCleanup(admin.delete, f"/allocations/{consumer}")
        return uuid

    def test_the_page_loads_nothing_from_other_servers(self):
        page = self.tab()
        hosts = set()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        browser.open_view(page, self.url)
        self.assertEqual({self.url.split("/")[2]}, hosts)


class Large(Browsing):
    """A cloud of 10,000 hosts. If a test fails, the page is useless for real clouds."""

    def setUp(self):
        super().setUp()
        directory = self.enterContext(tempfile.TemporaryDirectory())
        database = f"sqlite:///{directory}/placement.db"
        self.url = self.enterContext(server.placement(placement_database__connection=database))
        loader.load(database, bench.Cloud(10_000), [])

    def test_a_list_of_all_hosts_can_be_scrolled(self):
        page = self.visit("#/hosts")
        expect(page.get_by_text("10,000 hosts")).to_be_visible()
        table = page.get_by_role("region", name="Hosts")
        table.focus()
        page.keyboard.press("End")
        expect(page.get_by_role("link", name="host-009999")).to_be_visible()
        self.assertGreater(200, table.get_by_role("row").count())
        page.get_by_label("Name or UUID").fill("host-004242")
        expect(page.get_by_role("link", name="host-004242")).to_be_visible()


class Mounted(Browsing):
    """The service below a path, as at some sites."""

    def setUp(self):
        super().setUp()
        directory = self.enterContext(tempfile.TemporaryDirectory())
        environment = server.environment(
            placement_database__connection=f"sqlite:///{directory}/placement.db"
        )
        environment["SCRIPT_NAME"] = "/placement"
        root = self.enterContext(server.gunicorn(server.APPLICATION, environment, directory))
        self.url = f"{root}/placement"

    def test_the_page_works_below_a_prefix(self):
        page = self.visit()
        expect(page.get_by_text("There are no resource providers yet.")).to_be_visible()
